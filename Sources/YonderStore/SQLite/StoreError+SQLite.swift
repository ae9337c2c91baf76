import YonderSQLite

extension StoreError {
    /// What an error of SQLite means to the store's callers.
    init(_ error: SQLiteError) {
        let code: Code =
            switch error.code {
            case .primaryKey, .unique: .conflict
            case .foreignKey: .notFound
            case .full, .inputOutput, .readOnly, .cannotOpen, .permission, .busy, .noMemory: .unavailable
            case .corrupt, .notADatabase, .mismatch: .corrupt
            default: .internal
            }
        self.init(code, error.description)
    }

    /// Any error of the two modules as one of the store's.
    init(wrapping error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as SQLiteError: self.init(error)
        default: self.init(.internal, "an unforeseen error of type \(type(of: error))")
        }
    }
}
