/// What every command of a client on `/v1/events` begins with, read without Foundation: most commands
/// are fixes, and those come thousands of times a second.
package struct CommandHead: Sendable {
    /// What is asked for; `nil` where `problem` says why.
    package private(set) var op: String?
    /// The client's number of it, also where the rest is wrong.
    package private(set) var id: Int?
    /// The first thing that is wrong: `.invalidJSON` where the bytes are no JSON, else `.invalidArgument`.
    package private(set) var problem: WireError?

    /// Reads a text, which is valid UTF-8; all but the head is skipped.
    package init(json bytes: [UInt8]) {
        do {
            try read(bytes)
            if op == nil { report("/op", "op is required") }
        } catch {
            (op, id) = (nil, nil)
            problem = WireError(.invalidJSON, "the command is not valid JSON")
        }
        if problem != nil { op = nil }
    }

    private mutating func read(_ bytes: [UInt8]) throws(ByteReader.Malformed) {
        let isObject = try ByteReader.readObject(bytes) { key, reader throws(ByteReader.Malformed) in
            try value(of: key, from: &reader)
        }
        if !isObject { report("", "expected an object") }
    }

    private mutating func value(
        of key: String, from reader: inout ByteReader
    ) throws(ByteReader.Malformed) {
        switch key {
        case "op":
            guard reader.peek() == UInt8(ascii: "\"") else {
                try reader.skip()
                return report("/op", "expected a string")
            }
            op = try reader.string()
        case "id":
            guard try !reader.null() else { return }
            let next = reader.peek()
            guard next == UInt8(ascii: "-") || next &- 48 < 10 else {
                try reader.skip()
                return report("/id", "expected an integer")
            }
            id = try reader.integer()
            if id == nil { report("/id", "expected an integer") }
        default: try reader.skip()
        }
    }

    private mutating func report(_ field: String, _ detail: String) {
        if problem == nil { problem = WireError(.invalidArgument, detail, field: field) }
    }
}
