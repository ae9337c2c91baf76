import YonderModel
import YonderRules
import YonderStore
import YonderZip

/// Everything that the server holds of one user, as a ZIP.
struct ExportService: Sendable {
    private static let readAtOnce = 500

    let store: any Store
    let clock: @Sendable () -> Timestamp

    private struct Account: Encodable {
        let user: User
        let devices: [Device]
        let channels: [Channel]
    }

    /// The archive: `account.json`, `messages.json`, and of each trail that is kept a GPX and a GeoJSON file.
    ///
    /// Reads a little at a time: a long reading would keep what others erase meanwhile.
    func archive(for caller: Caller) throws -> [UInt8] {
        let user = caller.user
        var archive = ZipWriter()
        archive.add("account.json", WireJSON.encode(try account(of: user)))
        var messages: [Message] = []
        while case let page = try store.read({
            try $0.messages(by: user, after: messages.last?.id, limit: Self.readAtOnce)
        }), !page.isEmpty { messages += page }
        for share in messages.compactMap(\.sharedLocation) where share.isLive {
            let id = share.messageId
            guard let points = try store.read({ try $0.keptTrail(of: share, at: clock()) }) else { continue }
            archive.add("trails/\(id).gpx", TrailGPX(points: points, message: id).bytes)
            archive.add("trails/\(id).geojson", WireJSON.encode(TrailGeoJSON(points, of: id)))
        }
        let now = clock()
        archive.add(
            "messages.json", WireJSON.encode(MessageList(messages: messages.map { $0.own(at: now) })))
        return try archive.bytes()
    }

    private func account(of id: UserId) throws -> Account {
        try store.read { reader in
            Account(
                user: try reader.known(id), devices: try reader.devices(of: id),
                channels: try reader.channels(of: id))
        }
    }
}

extension Message {
    /// The message without what is another's.
    fileprivate func own(at now: Timestamp) -> Message {
        var copy = asSeen(at: now)
        copy.quotedMessage = nil
        return copy
    }
}
