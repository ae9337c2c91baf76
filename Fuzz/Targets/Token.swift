import YonderCrypto
import YonderModel
import YonderRules
import YonderServer

private let secret = Array("a secret of at least thirty-two bytes".utf8)
private let signer = TokenSigner(secret: secret)!
private let now = Timestamp(milliseconds: 1_796_040_000_000)

/// A token. Bytes with a line feed are a header and a payload that get a right signature, as else no
/// fuzzer would come by it; other bytes are a token as it came.
func fuzzToken(_ input: [UInt8]) throws(BrokenPromise) {
    let parts = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
        let token = String(decoding: input, as: UTF8.self)
        return try check(claims(of: token) == nil, "nobody signs without the secret")
    }
    let signed = parts.map { Base64URL.encode(Array($0)) }.joined(separator: ".")
    let signature = Base64URL.encode(Crypto.hmacSHA256(key: secret, Array(signed.utf8)))
    guard let claims = claims(of: "\(signed).\(signature)") else { return }
    try check(
        claims.expiresAt.map { now < $0 } ?? (claims.role == .admin), "a token ends, but an admin's may not")
    try checkSayingAgain(claims)
    try checkTampering(with: Array("\(signed).\(signature)".utf8), at: input.count)
}

/// Tokens are made with whole seconds, and no Double holds every second of all times.
private func checkSayingAgain(_ read: TokenClaims) throws(BrokenPromise) {
    func whole(_ time: Timestamp) -> Timestamp {
        Timestamp(milliseconds: time.milliseconds / 1000 * 1000)
    }
    let expected = TokenClaims(
        user: read.user, role: read.role, issuedAt: whole(read.issuedAt), expiresAt: read.expiresAt.map(whole)
    )
    let times = [expected.issuedAt, expected.expiresAt ?? now.advanced(bySeconds: 1)]
    guard times.allSatisfy({ $0.milliseconds < 1 << 53 }), times[1] > now else { return }
    try check(claims(of: signer.token(read)) == expected, "what a token says can be said again")
}

/// No place of a token can be changed.
private func checkTampering(with token: [UInt8], at place: Int) throws(BrokenPromise) {
    var other = token
    let index = place % token.count
    other[index] = other[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    try check(claims(of: String(decoding: other, as: UTF8.self)) == nil, "a changed token is refused")
}

private func claims(of token: String) -> TokenClaims? { try? signer.claims(of: token, now: now) }
