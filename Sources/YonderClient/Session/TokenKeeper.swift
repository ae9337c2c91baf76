import YonderModel

/// Holds the session's token, and asks the app for another one when the server does not take it any more.
actor TokenKeeper {
    private(set) var token: Token
    /// Whether the session is over: its answers are nobody's any more.
    private(set) var isOver = false
    private let userId: UserId
    private let provider: (@Sendable (UserId) async throws -> Token)?
    private var asking: Task<Result<Token, ClientError>, Never>?

    init(_ token: Token, of userId: UserId, provider: (@Sendable (UserId) async throws -> Token)?) {
        self.token = token
        self.userId = userId
        self.provider = provider
    }

    func end() { isOver = true }

    /// A token to use instead of one that was refused; of calls at once one asks.
    ///
    /// - Throws: `ClientError`: `refusal` where the app gives none, `.tokenUnavailable` where it failed to for
    ///   the moment, `.invalidToken` where it gave one that cannot be this user's; `.cancelled` at once where the
    ///   caller's task is cancelled, however long the app takes.
    func replacement(for used: Token, after refusal: ClientError) async throws(ClientError) -> Token {
        if token != used { return token }
        guard let provider else { throw refusal }
        let task =
            asking
            ?? Task {
                let result = await Self.ask(provider, userId)
                asking = nil
                if case .success(let given) = result { token = given }
                return result
            }
        asking = task
        guard let result = await Self.result(of: task) else { throw .cancelled }
        return try result.get()
    }

    private static func ask(
        _ provider: @Sendable (UserId) async throws -> Token, _ userId: UserId
    ) async -> Result<Token, ClientError> {
        do {
            let token = try await provider(userId)
            guard token.isSendable, token.userId.map({ $0 == userId }) ?? true else {
                return .failure(ClientError(.invalidToken, "the new token is not this user's"))
            }
            return .success(token)
        } catch {
            return .failure(ClientError(.tokenUnavailable, "the app could not give a new token"))
        }
    }

    /// What a task comes to; `nil` where the caller's is cancelled before.
    private static func result(
        of task: Task<Result<Token, ClientError>, Never>
    ) async -> Result<Token, ClientError>? {
        let (results, result) = AsyncStream<Result<Token, ClientError>>.makeStream()
        Task { result.yield(await task.value) }
        for await first in results { return first }
        return nil
    }
}
