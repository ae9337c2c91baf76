import YonderStore

extension YonderServer {
    /// Copies a server's database into a new file; the server may run meanwhile.
    ///
    /// - Parameters:
    ///   - dataFolder: The server's data folder.
    ///   - file: Path of the copy.
    /// - Throws: `ServerError` saying what to do.
    package static func backUp(_ dataFolder: String, to file: String) throws(ServerError) {
        do {
            try SQLiteBackup.make(of: dataFolder, in: file)
        } catch  where error.code == .notFound {
            throw ServerError("\(error.message): say --data")
        } catch  where error.code == .conflict {
            throw ServerError("\(error.message): nothing is overwritten, choose another name or remove it")
        } catch {
            throw ServerError("the backup cannot be made: \(error.message)")
        }
    }
}
