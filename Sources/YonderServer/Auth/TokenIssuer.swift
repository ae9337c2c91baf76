import YonderModel
import YonderRules

/// Makes the tokens that the server itself hands out.
struct TokenIssuer: Sendable {
    /// For how long they are good: 90 days.
    static let seconds: Int64 = 90 * 86_400

    let signer: TokenSigner
    let clock: @Sendable () -> Timestamp

    /// A token of a user.
    ///
    /// - Parameters:
    ///   - user: Whose.
    ///   - role: With which role.
    ///   - now: From when it is good; `nil` = from now.
    /// - Returns: The token.
    func token(of user: UserId, role: UserRole, at now: Timestamp? = nil) -> String {
        let now = now ?? clock()
        return signer.token(
            TokenClaims(
                user: user, role: role, issuedAt: now, expiresAt: now.advanced(bySeconds: Self.seconds)))
    }
}
