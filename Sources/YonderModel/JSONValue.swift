/// Any JSON value, for bodies of others' making whose shape is only half known.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// Infinite where it is out of Double's range.
    case number(Double)
    case text(String)
    case list([JSONValue])
    /// Of a key that stands twice the last counts.
    case object([String: JSONValue])

    /// Reads a whole text.
    ///
    /// - Parameter bytes: The text; `nil` is returned where it is no JSON in UTF-8, or nested deeper than 64.
    package init?(json bytes: [UInt8]) {
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        var reader = ByteReader(bytes)
        guard let value = try? reader.jsonValue(), reader.atEnd() else { return nil }
        self = value
    }

    /// What an object has under a key; `nil` where this is no object, or it has nothing or null there.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self, let value = members[key], value != .null else { return nil }
        return value
    }

    /// The text; `nil` where this is none.
    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The elements; `nil` where this is no list.
    package var list: [JSONValue]? {
        if case .list(let elements) = self { elements } else { nil }
    }

    /// The number, also where it is written as a text; `nil` where this is none.
    package var number: Double? {
        switch self {
        case .number(let number): number
        case .text(let text): Double(decimal: text)
        default: nil
        }
    }
}

extension Double {
    /// A number as people and apps write it, with white space around it; `nil` for others, such as hexadecimal ones.
    package init?(decimal text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { !$0.isJSONBlank }),
            let last = bytes.lastIndex(where: { !$0.isJSONBlank }),
            bytes[first...last].allSatisfy({ $0 &- 48 < 10 || "+-.eE".utf8.contains($0) })
        else { return nil }
        self.init(String(decoding: bytes[first...last], as: UTF8.self))
    }
}

extension ByteReader {
    fileprivate mutating func jsonValue(depth: Int = 0) throws(Malformed) -> JSONValue {
        guard depth < Self.maxDepth || !isAtNesting() else { throw Malformed() }
        switch peek() {
        case UInt8(ascii: "{"):
            var members: [String: JSONValue] = [:]
            _ = try elements("{", "}") { reader throws(Malformed) in
                let key = try reader.string()
                try reader.expect(":")
                members[key] = try reader.jsonValue(depth: depth + 1)
                return nil
            }
            return .object(members)
        case UInt8(ascii: "["):
            var list: [JSONValue] = []
            _ = try elements("[", "]") { reader throws(Malformed) in
                list.append(try reader.jsonValue(depth: depth + 1))
                return nil
            }
            return .list(list)
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"):
            try literal("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try literal("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try literal("null")
            return .null
        default: return .number(try number())
        }
    }
}
