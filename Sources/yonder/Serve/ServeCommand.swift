import YonderServer

/// `yonder serve`: runs the server.
struct ServeCommand: Command {
    static let declaration = CommandDeclaration(
        name: "serve", summary: "Run the server until it is told to stop (Ctrl-C, SIGTERM).",
        options: ServeSettings.options + [
            .init("--demo", nil, "Add a demo channel with you, a friend and a simulated walker."),
            .init("--links-file", "FILE", "Write the demo's links there as JSON, for programs."),
        ],
        notes: ["A flag counts more than its variable, a variable more than the file of --config."])

    private let settings: ServeSettings
    private let linksFile: String?

    init(_ arguments: Arguments) throws(CommandFailure) {
        settings = try ServeSettings(arguments)
        linksFile = arguments.value("--links-file")
    }

    func run() async throws(CommandFailure) -> Int32 {
        let configuration = try settings.configuration()
        do {
            try await ServeRun.run(configuration, linksFile: linksFile)
            return 0
        } catch {
            throw CommandFailure(status: 1, message: "\(error)")
        }
    }
}

/// `yonder check`: reads a configuration and says what is wrong with it.
struct CheckCommand: Command {
    static let declaration = CommandDeclaration(
        name: "check", summary: "Check the configuration of serve and say what is wrong, without starting.",
        options: ServeSettings.options)

    private let settings: ServeSettings

    init(_ arguments: Arguments) throws(CommandFailure) { settings = try ServeSettings(arguments) }

    func run() async throws(CommandFailure) -> Int32 {
        let configuration = try settings.configuration()
        do throws(ServerError) {
            try YonderServer.check(configuration)
        } catch {
            throw CommandFailure(status: 1, message: error.description)
        }
        Output.line(
            "The configuration is fine: \(configuration.host):\(configuration.port), data in \(configuration.dataFolder)"
        )
        return 0
    }
}
