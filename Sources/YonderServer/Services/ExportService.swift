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

    private struct MessageList: Encodable {
        let messages: [Message]
    }

    /// The archive: `account.json`, `messages.json`, and of each trail that is kept a GPX and a GeoJSON file.
    func archive(for caller: Caller) throws -> [UInt8] {
        let now = clock()
        var archive = ZipWriter()
        try store.read { reader in
            guard let user = try reader.user(caller.user) else {
                throw WireError(.unauthenticated, "the user is gone")
            }
            archive.add(
                "account.json",
                WireJSON.encode(
                    Account(
                        user: user, devices: try reader.devices(of: user.id),
                        channels: try reader.channels(of: user.id))))
            var messages: [Message] = []
            while case let page = try reader.messages(
                by: user.id, after: messages.last?.id, limit: Self.readAtOnce), !page.isEmpty
            {
                messages += page
            }
            for message in messages {
                guard let share = message.sharedLocation,
                    let points = try reader.keptTrail(of: share, at: now)
                else { continue }
                archive.add(
                    "trails/\(message.id).gpx", TrailGPX(points: points, message: message.id).bytes)
                archive.add(
                    "trails/\(message.id).geojson", WireJSON.encode(TrailGeoJSON(points, of: message.id)))
            }
            archive.add(
                "messages.json", WireJSON.encode(MessageList(messages: messages.map { $0.own(at: now) })))
        }
        return try archive.bytes()
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
