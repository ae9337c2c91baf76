import YonderServer

/// `yonder backup`: copies the database while the server runs.
struct BackupCommand: Command {
    static let declaration = CommandDeclaration(
        name: "backup", summary: "Copy the database into a new file; the server may run meanwhile.",
        word: ("FILE", "Where to; must not be there yet."),
        options: [
            .init("--data", "DIR", "Folder of the database (./data).", environment: "YONDER_DATA")
        ],
        notes: [
            "The copy holds all messages and last places, and not the secret: keep both, apart.",
            "To restore, put it as yonder.sqlite alone into a new data folder.",
        ])

    private let file: String
    private let folder: String

    init(_ arguments: Arguments) throws(CommandFailure) {
        guard let word = arguments.word, !word.isEmpty, !word.hasSuffix("/") else {
            throw CommandFailure(status: 2, message: "expected a FILE to write the copy to")
        }
        file = word
        folder = arguments.value("--data") ?? "data"
    }

    func run() async throws(CommandFailure) -> Int32 {
        do throws(ServerError) {
            try YonderServer.backUp(folder, to: file)
        } catch {
            throw CommandFailure(status: 1, message: error.description)
        }
        Output.line("The backup is in \(file)")
        return 0
    }
}
