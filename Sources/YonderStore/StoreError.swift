/// What the store could not do. Holds names of tables at most, never data.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    package let code: Code
    /// One sentence for the log.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(code): \(message)" }

    /// The kinds of failure; more may come.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private let kind: Kind

        private init(_ kind: Kind) { self.kind = kind }

        package var description: String { kind.rawValue }

        /// The disk is full, read-only or failing; trying later may help.
        package static let unavailable = Code(.unavailable)
        /// 10,000 changes are waiting already.
        package static let busy = Code(.busy)
        /// The folder cannot be created or written.
        package static let folderNotWritable = Code(.folderNotWritable)
        /// Another process has the folder.
        package static let inUse = Code(.inUse)
        /// The data come from a newer version of the program.
        package static let newerSchema = Code(.newerSchema)
        /// The data are damaged, or no database at all.
        package static let corrupt = Code(.corrupt)
        /// A page was asked for around a message that is not in the channel.
        package static let unknownCursor = Code(.unknownCursor)
        /// The id is taken.
        package static let conflict = Code(.conflict)
        /// Something that is named is not there.
        package static let notFound = Code(.notFound)
        /// No live share, or one that has ended.
        package static let notLive = Code(.notLive)
        /// The store has been closed.
        package static let closed = Code(.closed)
        /// A fault of the program.
        package static let `internal` = Code(.internal)

        private enum Kind: String {
            case unavailable, busy, folderNotWritable, inUse, newerSchema, corrupt
            case unknownCursor, conflict, notFound, notLive, closed, `internal`
        }
    }
}
