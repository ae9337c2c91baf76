import YonderModel
import YonderRules
import YonderStore

/// The people who share with a user, as OwnTracks shows them on its map.
struct OwnTracksFriends: Sendable {
    let store: any Store
    let table: ShareTable
    let clock: @Sendable () -> Timestamp

    /// The answer to a fix of a user: a location and a card for everybody who shares with them now.
    func answer(to user: UserId) throws -> [UInt8] {
        let now = clock()
        return try store.read { reader in
            var newest: [UserId: SharedLocation] = [:]
            var people: [UserId: User] = [:]
            for channel in try reader.channels(of: user) {
                let shares = table.activeShares(in: channel.cid, at: now).filter { $0.userId != user }
                guard !shares.isEmpty else { continue }
                for member in try reader.members(of: channel.cid) { people[member.user.id] = member.user }
                for share in shares
                where share.recordedTime > newest[share.userId]?.recordedTime ?? Timestamp(milliseconds: .min)
                {
                    newest[share.userId] = share
                }
            }
            people[user] = nil
            let marks = Self.marks(of: people.values.sorted { $0.id.rawValue < $1.id.rawValue })
            var messages: [Message] = []
            for (id, share) in newest.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                guard let person = people[id], let mark = marks[id], let position = share.position else {
                    continue
                }
                messages.append(.location(Location(position, at: share.recordedTime, mark: mark)))
                messages.append(.card(Card(of: person, mark: mark)))
            }
            return WireJSON.encode(messages)
        }
    }

    /// Two letters for each of some people, no two the same: the app knows its friends by nothing else.
    ///
    /// - Parameter people: In an order that does not change while they are the same.
    /// - Returns: The marks, of all of them while they are at most 1,296.
    static func marks(of people: [User]) -> [UserId: String] {
        var marks: [UserId: String] = [:]
        var taken: Set<String> = []
        for person in people {
            if let mark = candidates(for: person).first(where: { !taken.contains($0) }) {
                taken.insert(mark)
                marks[person.id] = mark
            }
        }
        return marks
    }

    /// The initials, the first letter with each of the others and with digits, then anything.
    private static func candidates(for person: User) -> some Sequence<String> {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        let words = person.name.uppercased().split { !$0.isLetter && !$0.isNumber }
        let letters = words.joined().filter { $0.unicodeScalars.count == 1 }
        let first = letters.first ?? "?"
        let second = words.count > 1 ? words.last?.first : letters.dropFirst().first
        let own = ([second].compactMap { $0 } + letters.dropFirst() + alphabet).map { "\(first)\($0)" }
        let any = alphabet.lazy.flatMap { first in alphabet.lazy.map { "\(first)\($0)" } }
        return sequence(state: (own: own.makeIterator(), any: any.makeIterator())) { state in
            state.own.next() ?? state.any.next()
        }
    }
}

/// What OwnTracks understands of an answer.
private enum Message: Encodable {
    case location(Location)
    case card(Card)

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .location(let location): try location.encode(to: encoder)
        case .card(let card): try card.encode(to: encoder)
        }
    }
}

private struct Location: Encodable {
    private enum CodingKeys: String, CodingKey {
        case type = "_type"
        case tid, lat, lon, tst, acc, alt, vel, cog, batt
    }

    let type = "location"
    var tid: String
    var lat: Double
    var lon: Double
    /// Seconds since 1970.
    var tst: Int64
    /// Metres.
    var acc: Int?
    var alt: Int?
    /// Kilometres an hour.
    var vel: Int?
    var cog: Int?
    /// Per cent.
    var batt: Int?

    init(_ position: Position, at time: Timestamp, mark: String) {
        func whole(_ value: Double?, times factor: Double = 1) -> Int? {
            value.flatMap { Int(exactly: ($0 * factor).rounded()) }
        }
        tid = mark
        lat = position.coordinate.latitude
        lon = position.coordinate.longitude
        tst = time.milliseconds / 1_000
        acc = whole(position.accuracy?.rounded(.up))
        alt = whole(position.altitude)
        vel = whole(position.speed, times: 3.6)
        cog = whole(position.heading)
        batt = whole(position.battery, times: 100)
    }
}

private struct Card: Encodable {
    private enum CodingKeys: String, CodingKey {
        case type = "_type"
        case tid, name, face
    }

    let type = "card"
    var tid: String
    var name: String
    /// The picture's bytes in base 64.
    var face: String?

    init(of person: User, mark: String) {
        tid = mark
        name = person.name
        face = person.image.flatMap { image in
            // What the app's map draws; the third kind it does not.
            ["data:image/png;base64,", "data:image/jpeg;base64,"].first { image.hasPrefix($0) }
                .map { String(image.dropFirst($0.count)) }
        }
    }
}
