import Foundation

/// The `yonder` command: finds the subcommand, reads its arguments, runs it.
@main struct Yonder {
    /// What `--version` says, until there is a release.
    static let version = "unreleased"

    /// Every subcommand, in the order of the help.
    static let commands: [any Command.Type] = [
        ServeCommand.self, TokenCommand.self, CheckCommand.self, BackupCommand.self, ShareCommand.self,
        WhereCommand.self, SendCommand.self, WatchCommand.self, ConnectCommand.self, IngestCheckCommand.self,
        InviteCommand.self,
        ExportCommand.self,
    ]

    static func main() async {
        signal(SIGPIPE, SIG_IGN)  // a reader that left is seen when writing
        let words = Array(CommandLine.arguments.dropFirst())
        Output.leave(await run(words, environment: ProcessInfo.processInfo.environment))
    }

    /// Runs the command.
    ///
    /// - Returns: The exit status: 0 done, 1 failed, 2 not understood.
    static func run(_ words: [String], environment: [String: String]) async -> Int32 {
        guard let name = words.first else {
            Output.problem(Help.overview(commands), as: nil)
            return 2
        }
        if ["--help", "-h", "help"].contains(name) {
            let asked = commands.first { $0.declaration.name == words.dropFirst().first }
            Output.line(asked.map { Help.text(for: $0.declaration) } ?? Help.overview(commands))
            return 0
        }
        if name == "--version" {
            Output.line("yonder \(version)")
            return 0
        }
        guard let command = commands.first(where: { $0.declaration.name == name }) else {
            let advice = Spelling.advice(for: name, among: commands.map { $0.declaration.name })
            Output.problem("unknown command '\(name)': \(advice)")
            return 2
        }
        return await command.execute(words.dropFirst(), environment: environment)
    }
}

/// One subcommand.
protocol Command: Sendable {
    /// What it is called and what it takes.
    static var declaration: CommandDeclaration { get }

    /// Reads what it was given.
    ///
    /// - Throws: `CommandFailure` with status 2 naming the option that is wrong.
    init(_ arguments: Arguments) throws(CommandFailure)

    /// Does it.
    ///
    /// - Returns: The exit status.
    /// - Throws: `CommandFailure`.
    func run() async throws(CommandFailure) -> Int32
}

extension Command {
    /// Reads the words after the command's name and does it, or shows its help.
    ///
    /// - Parameters:
    ///   - words: Those words.
    ///   - environment: The variables that stand in for options.
    /// - Returns: The exit status.
    static func execute(_ words: some Sequence<String>, environment: [String: String]) async -> Int32 {
        do throws(CommandFailure) {
            let arguments = try Arguments(words, of: declaration, environment: environment)
            if arguments.asksForHelp {
                Output.line(Help.text(for: declaration))
                return 0
            }
            let command = try Self(arguments)
            return try await command.run()
        } catch {
            Output.problem(error.message, as: "yonder \(declaration.name)")
            return error.status
        }
    }
}

/// Why a command ends without having done its work.
struct CommandFailure: Error, Hashable, CustomStringConvertible {
    /// The exit status: 2 where the arguments are wrong, else 1.
    var status: Int32
    /// One line for people.
    var message: String

    var description: String { message }

    /// An option whose value is wrong.
    static func wrong(_ option: String, expected: String) -> CommandFailure {
        CommandFailure(status: 2, message: "\(option): expected \(expected)")
    }
}
