import YonderModel

/// Holds the session's token, and asks the app for another one when the server does not take it any more.
actor TokenKeeper {
    private(set) var token: Token
    private let userId: UserId
    private let provider: (@Sendable (UserId) async throws -> Token)?
    private var asking: Task<Result<Token, ClientError>, Never>?

    init(_ token: Token, of userId: UserId, provider: (@Sendable (UserId) async throws -> Token)?) {
        self.token = token
        self.userId = userId
        self.provider = provider
    }

    /// A token to use instead of one that was refused; of calls at once one asks.
    ///
    /// - Throws: `ClientError`: `refusal` where the app gives none, `.tokenUnavailable` where it failed to for
    ///   the moment, `.invalidToken` where it gave one that cannot be this user's.
    func replacement(for used: Token, after refusal: ClientError) async throws(ClientError) -> Token {
        if token != used { return token }
        guard let provider else { throw refusal }
        let task =
            asking
            ?? Task { [userId] () -> Result<Token, ClientError> in
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
        asking = task
        let result = await task.value
        asking = nil
        token = try result.get()
        return token
    }
}
