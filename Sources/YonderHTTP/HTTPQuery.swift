/// The parameters after `?` of a request's target, decoded, in order.
public struct HTTPQuery: Sendable {
    /// One parameter; `value` is empty where the target had no `=`.
    public struct Item: Sendable, Equatable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All parameters, in order.
    public var items: [Item]

    public init(_ items: [Item] = []) { self.items = items }

    /// The first value of `name`, `nil` when there is none. Names are case-sensitive.
    public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    /// The parameters of a form as browsers send it: as in a query, with `+` for a blank; the first hundred.
    public init(form bytes: [UInt8]) {
        func decode(_ part: ArraySlice<UInt8>) -> String {
            part.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }.withUnsafeBufferPointer(Self.decode)
        }
        let most = 100
        items = bytes.split(separator: UInt8(ascii: "&"), maxSplits: most).prefix(most).map { field in
            let end = field.firstIndex(of: UInt8(ascii: "=")) ?? field.endIndex
            return Item(name: decode(field[..<end]), value: decode(field[end...].dropFirst()))
        }
    }

    /// `text` with its percent escapes replaced; escapes that are none stay as they are, bytes that are
    /// not UTF-8 become U+FFFD.
    static func decode(_ text: UnsafeBufferPointer<UInt8>) -> String {
        guard text.contains(UInt8(ascii: "%")) else { return String(decoding: text, as: UTF8.self) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
                let high = hexValue(text[index + 1]), let low = hexValue(text[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
