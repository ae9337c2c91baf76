/// Who somebody is: 1 to 64 of `A-Z a-z 0-9 _ . @ -`.
public struct UserId: Identifier {
    public let rawValue: String
    public init?(_ text: String) {
        guard Self.accepts(text, maxLength: 64, extra: "_.@-") else { return nil }
        rawValue = text
    }
}

/// One device of one user: 1 to 128 of `A-Z a-z 0-9 _ . : -`. Unique per user.
public struct DeviceId: Identifier {
    public let rawValue: String
    public init?(_ text: String) {
        guard Self.accepts(text, maxLength: 128, extra: "_.:-") else { return nil }
        rawValue = text
    }
}

/// A message, and the share that it carries: 1 to 64 of `A-Z a-z 0-9 _ -`,
/// chosen by the client, so that a retry is idempotent.
public struct MessageId: Identifier {
    public let rawValue: String
    public init?(_ text: String) {
        guard Self.accepts(text, maxLength: 64, extra: "_-") else { return nil }
        rawValue = text
    }
}

/// A view link: 1 to 64 of `A-Z a-z 0-9 _ -`, made by the server. Not the link's token.
public struct LinkId: Identifier {
    public let rawValue: String
    public init?(_ text: String) {
        guard Self.accepts(text, maxLength: 64, extra: "_-") else { return nil }
        rawValue = text
    }
}

/// An invite: 1 to 64 of `A-Z a-z 0-9 _ -`, made by the server. Not the invite's code.
public struct InviteId: Identifier {
    public let rawValue: String
    public init?(_ text: String) {
        guard Self.accepts(text, maxLength: 64, extra: "_-") else { return nil }
        rawValue = text
    }
}

/// A channel: `type:id`, type 1 to 32 of `a-z`, id 1 to 64 of `A-Z a-z 0-9 _ -`.
public struct ChannelId: Identifier {
    public let rawValue: String

    /// The part before the colon.
    public var type: String { String(rawValue.prefix { $0 != ":" }) }
    /// The part after the colon.
    public var id: String { String(rawValue.drop { $0 != ":" }.dropFirst()) }

    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1)
        guard parts.count == 2, parts[0].count + parts[1].count + 1 == text.utf8.count,
            (1...32).contains(parts[0].count),
            parts[0].allSatisfy({ $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }),
            Self.accepts(String(Substring(parts[1])), maxLength: 64, extra: "_-")
        else { return nil }
        rawValue = text
    }

    /// Creates an id from its two parts.
    ///
    /// - Precondition: both parts are well-formed; use ``init(_:)`` for input.
    public init(type: String, id: String) {
        guard let made = ChannelId("\(type):\(id)") else {
            preconditionFailure("a channel's type is a-z, its id A-Z a-z 0-9 _ -")
        }
        self = made
    }
}

/// A checked text that names something; the wire form is the text itself.
public protocol Identifier: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The id as it stands on the wire.
    var rawValue: String { get }
    /// Reads an id; `nil` if it is empty, too long or holds another character.
    init?(_ text: String)
}

extension Identifier {
    public var description: String { rawValue }

    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let id = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a well-formed id"))
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    fileprivate static func accepts(_ text: String, maxLength: Int, extra: StaticString) -> Bool {
        let bytes = text.utf8
        guard (1...maxLength).contains(bytes.count) else { return false }
        let others = extra.withUTF8Buffer { Array($0) }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: others.contains(byte)
            }
        }
    }
}
