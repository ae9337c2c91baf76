/// Why a server did not start.
public struct HTTPServerError: Error, Sendable, CustomStringConvertible {
    /// The kind of an error. More may come.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case addressInUse, badAddress, permissionDenied, unavailable, alreadyStarted
        }
        private let kind: Kind

        /// Something else listens on that port.
        public static let addressInUse = Code(kind: .addressInUse)
        /// The host is no address, or none of this machine; or the port is out of range.
        public static let badAddress = Code(kind: .badAddress)
        /// The port is not for this user.
        public static let permissionDenied = Code(kind: .permissionDenied)
        /// The system gave no socket or no thread.
        public static let unavailable = Code(kind: .unavailable)
        /// `start()` was called a second time.
        public static let alreadyStarted = Code(kind: .alreadyStarted)

        public var description: String { kind.rawValue }
    }

    /// What kind of error this is.
    public let code: Code
    /// One sentence for the operator, with host and port.
    public let message: String

    public var description: String { "\(code): \(message)" }
}
