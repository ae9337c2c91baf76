import YonderModel
import YonderRules

/// Makes the tokens that the server itself hands out.
struct TokenIssuer: Sendable {
    /// For how long they are good: 90 days.
    static let seconds: Int64 = 90 * 86_400

    let signer: TokenSigner
    let clock: @Sendable () -> Timestamp

    /// A token of a user, good from now on.
    func token(of user: UserId, role: UserRole) -> String {
        let now = clock()
        return signer.token(
            TokenClaims(
                user: user, role: role, issuedAt: now, expiresAt: now.advanced(bySeconds: Self.seconds)))
    }
}
