/// Why a location could not be had. Never holds a position.
public struct LocationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, to switch over; more may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind: String { case fileUnreadable, fileTooLarge, malformedTrack, noTrack }

        private let kind: Kind

        private init(_ kind: Kind) { self.kind = kind }

        /// The file cannot be opened or read.
        public static let fileUnreadable = Code(.fileUnreadable)
        /// The file is larger than 64 MiB.
        public static let fileTooLarge = Code(.fileTooLarge)
        /// The file is no GPX that can be read; the error's line and column say where.
        public static let malformedTrack = Code(.malformedTrack)
        /// There is no track with a point to replay.
        public static let noTrack = Code(.noTrack)

        var word: String { kind.rawValue }
    }

    /// What went wrong.
    public let code: Code
    /// One sentence for people.
    public let message: String
    /// The line in the file, from 1; `nil` where no place can be named.
    public let line: Int?
    /// The column in that line, from 1; `nil` where no place can be named.
    public let column: Int?

    init(_ code: Code, _ message: String, line: Int? = nil, column: Int? = nil) {
        self.code = code
        self.message = message
        self.line = line
        self.column = column
    }

    /// The message with its place: `line 3, column 7: not well-formed XML`.
    public var description: String {
        guard let line else { return message }
        let place = column.map { "line \(line), column \($0)" } ?? "line \(line)"
        return "\(place): \(message)"
    }
}
