/// What went wrong with a map on disk.
///
/// Never names a tile, a position or a path: it may end in a log.
public struct MapError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; more may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Base: String {
            case unreadable, malformed, unsupported, tooLarge
        }

        private let base: Base

        /// The file or folder cannot be opened or read.
        public static let unreadable = Code(base: .unreadable)
        /// The bytes are not what the format says: cut short, out of range or contradictory.
        public static let malformed = Code(base: .malformed)
        /// Well formed, but of a version, compression or tile type that is not read here.
        public static let unsupported = Code(base: .unsupported)
        /// A part is larger than the limit for it.
        public static let tooLarge = Code(base: .tooLarge)

        public var description: String { base.rawValue }
    }

    public let code: Code
    /// One sentence for the operator.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(code): \(message)" }
}
