/// Header fields in the order they came or will go; names compare without regard to case (ASCII).
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    /// One field: its name as written, its value without surrounding blanks.
    public struct Field: Sendable {
        public var name: String
        public var value: String
    }

    /// All fields, in order.
    public private(set) var fields: [Field] = []

    /// No fields.
    public init() {}

    /// The fields of the literal, in its order; a name may stand in it twice.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// The first value of `name`, `nil` when there is none. Setting replaces all values of that name.
    public subscript(name: String) -> String? {
        get { fields.first { Self.isSame($0.name, name) }?.value }
        set {
            fields.removeAll { Self.isSame($0.name, name) }
            if let newValue { add(name, newValue) }
        }
    }

    /// Every value of `name`, in order.
    public func values(of name: String) -> [String] {
        fields.filter { Self.isSame($0.name, name) }.map(\.value)
    }

    /// Appends a field and leaves those of the same name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Whether `token` stands in the comma-separated values of `name`, without regard to case.
    func contains(_ token: String, in name: String) -> Bool {
        values(of: name).contains { value in
            value.split(separator: ",").contains { Self.isSame(Self.trimmed($0), token) }
        }
    }

    private static func isSame(_ a: some StringProtocol, _ b: String) -> Bool {
        a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).allSatisfy { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { start[...$0] } ?? ""
    }
}
