import YonderModel
import YonderRules
import YonderStore

/// The people who share with a user, as OwnTracks shows them on its map.
struct OwnTracksFriends: Sendable {
    private struct Friend {
        let person: User
        let share: SharedLocation
    }

    let store: any Store
    let table: ShareTable
    let faces: SentFaces
    let clock: @Sendable () -> Timestamp

    /// The answer to a fix of a device: a location and a card for everybody who shares with its user now.
    func answer(to device: FeedingDevice) async throws -> [UInt8] {
        let now = clock()
        let (friends, known) = try store.read { reader in
            (try self.friends(of: device.user, at: now, reader), try reader.friendMarks(of: device.user))
        }
        let strangers = friends.map(\.person).filter { known[$0.id] == nil }
        let marks = strangers.isEmpty ? known : try await mark(strangers, for: device.user)
        var messages: [Message] = []
        for friend in friends {
            guard let mark = marks[friend.person.id], let position = friend.share.position else { continue }
            messages.append(.location(Location(position, at: friend.share.recordedTime, mark: mark)))
            let card = Card(of: friend.person, mark: mark)
            // Without its card the app shows the picture that it has; with one it would lose it.
            let isDue = faces.isDue(card.face, of: friend.person.id, to: device, at: now)
            if isDue || card.face == nil {
                messages.append(.card(card))
            }
        }
        return WireJSON.encode(messages)
    }

    /// Who shares with a user, each with the newest of their shares that the user may see.
    private func friends(of user: UserId, at now: Timestamp, _ reader: any StoreReader) throws -> [Friend] {
        var newest: [UserId: SharedLocation] = [:]
        for channel in try reader.channels(of: user) {
            for share in table.activeShares(in: channel.cid, at: now) where share.userId != user {
                let other = newest[share.userId]?.recordedTime ?? Timestamp(milliseconds: .min)
                if share.recordedTime > other { newest[share.userId] = share }
            }
        }
        return try newest.values.sorted { $0.userId.rawValue < $1.userId.rawValue }.compactMap { share in
            try reader.user(share.userId).map { Friend(person: $0, share: share) }
        }
    }

    /// Gives people their marks, for good: the app knows its friends by nothing else.
    private func mark(_ people: [User], for user: UserId) async throws -> [UserId: String] {
        try await store.commit { change in
            var marks = try change.friendMarks(of: user)
            guard try !change.isErased(user) else { return marks }
            if marks.count + people.count > Self.mostMarks {
                try change.deleteFriendMarks(of: user)
                marks = [:]
            }
            let all = Self.marks(of: people, beside: marks)
            for (id, mark) in all where marks[id] == nil {
                try change.putFriendMark(mark, for: id, of: user)
            }
            return all
        }
    }

    /// So many have a mark of their own; who has seen more begins anew.
    private static let mostMarks = 1_000

    /// Two letters for each of some people, no two the same.
    ///
    /// - Parameters:
    ///   - people: Who is to have one; at most 1,296 with those who have.
    ///   - taken: Who has which.
    /// - Returns: All of them.
    static func marks(of people: [User], beside taken: [UserId: String] = [:]) -> [UserId: String] {
        var marks = taken
        var used = Set(taken.values)
        for person in people where marks[person.id] == nil {
            marks[person.id] = candidates(for: person).first { used.insert($0).inserted }
        }
        return marks
    }

    /// The initials, the first letter with each of the others and with digits, then anything.
    private static func candidates(for person: User) -> some Sequence<String> {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        let words = person.name.uppercased().split { !$0.isLetter && !$0.isNumber }
        func isPlain(_ letter: Character) -> Bool { letter.utf16.count == 1 }
        let letters = words.joined().filter(isPlain)
        let first = letters.first ?? "?"
        let second = words.count > 1 ? words.last?.first(where: isPlain) : letters.dropFirst().first
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
