/// Fixes that a device recorded while it could not send: the body of `POST /v1/live-locations/batch`.
package struct FixBatch: Sendable {
    /// Most fixes in one batch.
    package static let maxFixes = 1_000

    /// One of a batch's fixes that is wrong.
    package struct Rejection: Hashable, Sendable, Encodable {
        /// Its place in the batch, from 0.
        package let index: Int
        package let code: String
        /// JSON pointer inside the fix.
        package let field: String?

        package init(index: Int, _ error: WireError) {
            self.index = index
            code = error.code.wire
            field = error.field
        }
    }

    /// Those that are well-formed, with their places in the batch.
    package var fixes: [(index: Int, report: FixReport)] = []
    /// The others.
    package var rejected: [Rejection] = []

    /// A batch of fixes that were read otherwise.
    package init(_ reports: [FixReport]) {
        fixes = Array(reports.enumerated().map { ($0.offset, $0.element) })
    }

    /// Reads a batch; one bad fix never sinks the others.
    ///
    /// - Parameter bytes: `{"fixes": […], "sent_at"?}`; each fix as `PUT /v1/live-locations` takes it.
    /// - Throws: `WireError`: `.invalidJSON`, or `.invalidArgument` naming `/fixes` or `/sent_at`.
    package init(json bytes: [UInt8]) throws(WireError) {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw WireError(.invalidJSON, "the body is not valid UTF-8")
        }
        var bodies: [[UInt8]]?
        var count = 0
        var sentAt: Timestamp?
        var problem: WireError?
        do {
            let isObject = try ByteReader.readObject(bytes) { key, reader throws(ByteReader.Malformed) in
                switch key {
                case "fixes": (bodies, count) = try Self.list(from: &reader)
                case "sent_at":
                    if try reader.null() { return }
                    let isText = reader.peek() == UInt8(ascii: "\"")
                    let text = isText ? try reader.string() : nil
                    if !isText { try reader.skip() }
                    sentAt = text.flatMap(Timestamp.init(rfc3339:))
                    if sentAt == nil {
                        problem = WireError(
                            .invalidArgument, "not an RFC 3339 time with a zone, as 2026-11-30T12:00:00Z",
                            field: "/sent_at")
                    }
                default: try reader.skip()
                }
            }
            if !isObject { problem = WireError(.invalidArgument, "expected an object", field: "") }
        } catch {
            throw WireError(.invalidJSON, "the body is not valid JSON")
        }
        if let problem { throw problem }
        guard let bodies else {
            throw WireError(.invalidArgument, "a list of fixes is required", field: "/fixes")
        }
        guard count <= Self.maxFixes else {
            throw WireError(.invalidArgument, "at most 1,000 fixes at once", field: "/fixes")
        }
        for (index, body) in bodies.enumerated() { read(body, at: index, sentAt: sentAt) }
    }

    private mutating func read(_ body: [UInt8], at index: Int, sentAt: Timestamp?) {
        do throws(WireError) {
            var report = try FixReport(json: body)
            report.sentAt = sentAt ?? report.sentAt
            fixes.append((index, report))
        } catch {
            rejected.append(Rejection(index: index, error))
        }
    }

    /// The elements of a list, at most ``maxFixes``, and how many there are; `nil` where it is none.
    private static func list(
        from reader: inout ByteReader
    ) throws(ByteReader.Malformed) -> (bodies: [[UInt8]]?, count: Int) {
        guard reader.eat("[") else {
            try reader.skip()
            return (nil, 0)
        }
        var bodies: [[UInt8]] = []
        if reader.eat("]") { return (bodies, 0) }
        var count = 0
        repeat {
            let body = try reader.value()
            count += 1
            if count <= maxFixes { bodies.append(body) }
        } while reader.eat(",")
        try reader.expect("]")
        return (bodies, count)
    }
}
