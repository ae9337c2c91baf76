import CSQLite

/// What SQLite refused, copied out at once. Its message names schema, never data.
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLite's extended result code.
    package let code: Code
    /// SQLite's own words.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Reads the error that a call has just returned.
    init(_ status: Int32, of database: OpaquePointer?) {
        code = Code(rawValue: status)
        message = String(cString: database.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(status))
    }

    package var description: String { "SQLite error \(code.rawValue): \(message)" }

    /// A result code; `~=` matches the code itself or, for a primary code, its whole family.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) { self.rawValue = rawValue }

        /// The primary code of the family.
        package var primary: Code { Code(rawValue: rawValue & 0xFF) }

        package static func ~= (pattern: Code, code: Code) -> Bool {
            pattern == code || pattern == code.primary
        }

        /// `SQLITE_PERM`
        package static let permission = Code(rawValue: SQLITE_PERM)
        /// `SQLITE_BUSY`
        package static let busy = Code(rawValue: SQLITE_BUSY)
        /// `SQLITE_NOMEM`
        package static let noMemory = Code(rawValue: SQLITE_NOMEM)
        /// `SQLITE_READONLY`
        package static let readOnly = Code(rawValue: SQLITE_READONLY)
        /// `SQLITE_IOERR`
        package static let inputOutput = Code(rawValue: SQLITE_IOERR)
        /// `SQLITE_CORRUPT`
        package static let corrupt = Code(rawValue: SQLITE_CORRUPT)
        /// `SQLITE_FULL`
        package static let full = Code(rawValue: SQLITE_FULL)
        /// `SQLITE_CANTOPEN`
        package static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
        /// `SQLITE_CONSTRAINT`
        package static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
        /// `SQLITE_CONSTRAINT_PRIMARYKEY`
        package static let primaryKey = Code(rawValue: SQLITE_CONSTRAINT | 6 << 8)
        /// `SQLITE_CONSTRAINT_UNIQUE`
        package static let unique = Code(rawValue: SQLITE_CONSTRAINT | 8 << 8)
        /// `SQLITE_CONSTRAINT_FOREIGNKEY`
        package static let foreignKey = Code(rawValue: SQLITE_CONSTRAINT | 3 << 8)
        /// `SQLITE_MISMATCH`: a column holds another type than was asked for.
        package static let mismatch = Code(rawValue: SQLITE_MISMATCH)
        /// `SQLITE_RANGE`: there is no parameter of that number.
        package static let range = Code(rawValue: SQLITE_RANGE)
        /// `SQLITE_NOTADB`
        package static let notADatabase = Code(rawValue: SQLITE_NOTADB)
        /// `SQLITE_ERROR`
        package static let error = Code(rawValue: SQLITE_ERROR)
    }
}
