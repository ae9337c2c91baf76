import Foundation
import YonderClient

/// `yonder export`: everything that the server holds of a user, as a ZIP.
struct ExportCommand: Command {
    static let declaration = CommandDeclaration(
        name: "export", summary: "Save all that the server holds of a user: messages, locations, trails.",
        options: ServerAccess.options + [
            .init("--output", "FILE", "The ZIP to write; must not be there yet (yonder-export.zip).")
        ])

    private let access: ServerAccess
    private let file: String

    init(_ arguments: Arguments) throws(CommandFailure) {
        file = arguments.value("--output") ?? "yonder-export.zip"
        guard !FileManager.default.fileExists(atPath: file) else {
            throw .wrong("--output", expected: "a file that is not there yet; \(file) is")
        }
        access = try ServerAccess(arguments)
    }

    func run() async throws(CommandFailure) -> Int32 {
        let client = access.client()
        try await access.connect(client)
        let result = await read(client)
        await access.disconnect(client)
        let bytes = try result.get()
        guard
            FileManager.default.createFile(
                atPath: file, contents: bytes, attributes: [.posixPermissions: 0o600])
        else { throw CommandFailure(status: 1, message: "\(file) cannot be written") }
        Output.line("saved \(bytes.count) bytes in \(file)")
        return 0
    }

    private func read(_ client: ChatClient) async -> Result<Data, CommandFailure> {
        do {
            return .success(try await client.currentUserController().exportAccount())
        } catch {
            return .failure(CommandFailure(error, "cannot export"))
        }
    }
}
