import Foundation
import YonderClient

/// Which server and who: what the commands of a user have in common.
struct ServerAccess {
    static let options: [CommandDeclaration.Option] = [
        .init("--server", "URL", "The server's address.", environment: "YONDER_SERVER"),
        .init(
            "--token", "TOKEN", "The user's token; shows in the list of processes.",
            environment: "YONDER_TOKEN"),
        .init("--token-file", "FILE", "A file that holds the token."),
        .init("--ca-file", "FILE", "Certificates to trust, PEM, instead of the system's."),
    ]

    let server: URL
    let token: Token
    let userId: UserId
    let certificateFile: String?

    init(_ arguments: Arguments) throws(CommandFailure) {
        server = try arguments.required("--server", expected: Values.serverForm, Values.server)
        token = try Self.token(arguments)
        guard let userId = token.userId else {
            let option = arguments.isGiven("--token-file") ? "--token-file" : "--token"
            throw .wrong(option, expected: "a user's token (a JSON Web Token with a user in it)")
        }
        self.userId = userId
        certificateFile = arguments.value("--ca-file")
        if let certificateFile, !FileManager.default.isReadableFile(atPath: certificateFile) {
            throw .wrong("--ca-file", expected: "a file that can be read")
        }
    }

    private static func token(_ arguments: Arguments) throws(CommandFailure) -> Token {
        guard arguments.isGiven("--token-file") else {
            return Token(
                try arguments.required("--token", expected: "a token, or --token-file FILE") { text in
                    text.trimmingCharacters(in: .whitespacesAndNewlines)
                })
        }
        guard !arguments.isGiven("--token") else {
            throw .wrong("--token-file", expected: "no --token beside it")
        }
        return Token(
            try arguments.required("--token-file", expected: "a file that can be read and holds a token") {
                path in
                let data = FileManager.default.contents(atPath: path)
                let text = data.flatMap { String(data: $0.prefix(65_536), encoding: .utf8) }
                return text?.trimmingCharacters(in: .whitespacesAndNewlines)
            })
    }

    /// A client for this user, not connected yet.
    ///
    /// - Parameter deviceId: The device that it is; `nil` = one for this run.
    /// - Returns: The client.
    func client(deviceId: DeviceId? = nil) -> ChatClient {
        ChatClient(
            config: ChatClientConfig(
                baseURL: server, deviceId: deviceId, certificateFile: certificateFile))
    }

    /// Connects.
    ///
    /// - Throws: `CommandFailure` with status 1.
    func connect(_ client: ChatClient) async throws(CommandFailure) {
        do {
            if try await client.connectUser(userInfo: UserInfo(id: userId), token: token) == .connected {
                return
            }
        } catch {
            throw Self.failure(error, at: server)
        }
        let problem = client.connectionProblem
        await disconnect(client)
        throw problem.map { Self.failure($0, at: server) }
            ?? CommandFailure(status: 1, message: "cannot connect")
    }

    /// Waits until the server has what was done: no command leaves anything for later, as nothing is kept.
    ///
    /// - Parameters:
    ///   - client: Whose actions they are.
    ///   - action: What could not be done, where it could not.
    /// - Throws: `CommandFailure` with status 1.
    func settle(_ client: ChatClient, _ action: String) async throws(CommandFailure) {
        if await client.sendUnsentActions(within: .seconds(5)) { return }
        let problem = client.connectionProblem?.message ?? "the server does not answer"
        throw CommandFailure(status: 1, message: "\(action): \(problem)")
    }

    /// Why there is no connection, with what may help.
    static func failure(_ error: ClientError, at server: URL) -> CommandFailure {
        let reason: String
        switch error.code {
        case .cannotConnect: reason = "nobody answers at \(server): is the server running?"
        case .timedOut: reason = "no answer in time from \(server)"
        case .untrusted:
            reason =
                "\(error.message); if \(server) is a plain http server, say http://, "
                + "if its certificate is its own, --ca-file"
        default: return CommandFailure(error, "cannot connect")
        }
        return CommandFailure(status: 1, message: "cannot connect: \(reason)")
    }

    /// Closes the connection properly, but does not wait long for a server that does not answer.
    func disconnect(_ client: ChatClient) async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        Task {
            await client.disconnect()
            end.finish()
        }
        Task {
            try await Task.sleep(for: .seconds(2))
            end.finish()
        }
        for await _ in ends {}
    }
}

/// Which server, who, and which channel.
struct ChannelAccess {
    static let options =
        ServerAccess.options + [
            .init("--channel", "CID", "The channel, TYPE:ID.", environment: "YONDER_CHANNEL")
        ]

    let server: ServerAccess
    let channel: ChannelId

    init(_ arguments: Arguments) throws(CommandFailure) {
        server = try ServerAccess(arguments)
        channel = try arguments.required(
            "--channel", expected: "a channel, TYPE:ID, such as messaging:berlin", ChannelId.init)
    }

    /// A client for this user, not connected yet.
    ///
    /// One device a machine and channel: two shares of one user from one machine then never feed each
    /// other, and no run leaves a device behind.
    func client() -> ChatClient {
        let host = ProcessInfo.processInfo.hostName.prefix { $0 != "." }
            .filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }.prefix(24)
        return server.client(deviceId: DeviceId("cli:\(host):\(channel)"))
    }
}

extension CommandFailure {
    /// What the client could not do.
    init(_ error: ClientError, _ action: String) {
        let advice =
            error.code == .server(.tokenExpired) ? ": make a new one with `yonder token`" : ""
        self.init(status: 1, message: "\(action): \(error.message)\(advice)")
    }
}
