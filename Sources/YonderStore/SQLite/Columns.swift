package import YonderModel
package import YonderRules
package import YonderSQLite

/// Milliseconds since 1970.
extension Timestamp: SQLiteValue {
    package func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try milliseconds.bind(to: statement, at: index)
    }

    package init(from statement: borrowing Statement, at column: Int32) throws(SQLiteError) {
        self.init(milliseconds: try Int64(from: statement, at: column))
    }
}

extension Identifier where Self: SQLiteValue {
    package func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try rawValue.bind(to: statement, at: index)
    }

    package init(from statement: borrowing Statement, at column: Int32) throws(SQLiteError) {
        guard let id = Self(try String(from: statement, at: column)) else {
            throw SQLiteError(.corrupt, "column \(column) holds a malformed id")
        }
        self = id
    }
}

extension UserId: SQLiteValue {}
extension DeviceId: SQLiteValue {}
extension ChannelId: SQLiteValue {}
extension MessageId: SQLiteValue {}
extension LinkId: SQLiteValue {}
extension InviteId: SQLiteValue {}

/// The words of the wire stand in the database, too.
extension SQLiteValue where Self: RawRepresentable, RawValue == String {
    package func bind(to statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try rawValue.bind(to: statement, at: index)
    }

    package init(from statement: borrowing Statement, at column: Int32) throws(SQLiteError) {
        guard let value = Self(rawValue: try String(from: statement, at: column)) else {
            throw SQLiteError(.corrupt, "column \(column) holds an unknown word")
        }
        self = value
    }
}

extension UserRole: SQLiteValue {}
extension MemberRole: SQLiteValue {}
extension Platform: SQLiteValue {}
extension EndedReason: SQLiteValue {}
extension SharePrecision: SQLiteValue {}
extension Admission.Kind: SQLiteValue {}
extension EventName: SQLiteValue {}
