import Foundation
import Testing
import YonderCrypto
import YonderModel
import YonderRules

@testable import YonderServer

struct TokenTests {
    private let signer = TokenSigner(secret: TestServer.secret)!
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    private func token(header: String, payload: String, secret: [UInt8] = TestServer.secret) -> String {
        let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
        return signed + "." + Base64URL.encode(Crypto.hmacSHA256(key: secret, Array(signed.utf8)))
    }

    private let header = #"{"alg":"HS256","typ":"JWT"}"#

    @Test func `a token says what was put in`() throws {
        for role in [UserRole.user, .admin] {
            let claims = TokenClaims(
                user: UserId("anna")!, role: role, issuedAt: now, expiresAt: now.advanced(bySeconds: 60))
            #expect(try signer.claims(of: signer.token(claims), now: now) == claims)
        }
    }

    @Test func `a token ends at its second`() throws {
        let text = token(header: header, payload: #"{"sub":"a","iat":1800000000,"exp":1800000060}"#)
        #expect(throws: Never.self) { try signer.claims(of: text, now: now.advanced(byMilliseconds: 59_999)) }
        #expect {
            try signer.claims(of: text, now: now.advanced(bySeconds: 60))
        } throws: {
            ($0 as? WireError)?.code == .tokenExpired
        }
    }

    @Test(arguments: [
        (#"{"alg":"none"}"#, #"{"sub":"a","iat":1,"exp":9999999999}"#),
        (#"{"alg":"HS512"}"#, #"{"sub":"a","iat":1,"exp":9999999999}"#),
        (#"{"alg":"hs256"}"#, #"{"sub":"a","iat":1,"exp":9999999999}"#),
        (#"{}"#, #"{"sub":"a","iat":1,"exp":9999999999}"#),
        (#"{"alg":"HS256"}"#, #"{"sub":"a b","iat":1,"exp":9999999999}"#),
        (#"{"alg":"HS256"}"#, #"{"sub":"a","exp":9999999999}"#),
        (#"{"alg":"HS256"}"#, #"{"sub":"a","iat":1}"#),
        (#"{"alg":"HS256"}"#, #"{"sub":"a","iat":1,"exp":"9999999999"}"#),
        (#"{"alg":"HS256"}"#, #"{"sub":"a","iat":1,"exp":1e300}"#),
        (#"{"alg":"HS256"}"#, #"{"sub":"a","iat":1,"exp":9999999999,"role":"root"}"#),
        (#"{"alg":"HS256"}"#, "[]"), ("nonsense", "{}"),
    ])
    func `a signed token that says something else is refused`(header: String, payload: String) {
        #expect {
            try signer.claims(of: token(header: header, payload: payload), now: now)
        } throws: {
            ($0 as? WireError)?.code == .unauthenticated
        }
    }

    @Test func `an admin's token may have no end`() throws {
        let text = token(header: header, payload: #"{"sub":"a","iat":1,"role":"admin"}"#)
        #expect(try signer.claims(of: text, now: now).expiresAt == nil)
    }

    @Test func `another secret, another byte and another shape are refused`() throws {
        let payload = #"{"sub":"a","iat":1,"exp":9999999999}"#
        let good = token(header: header, payload: payload)
        var bad = [
            token(
                header: header, payload: payload, secret: Array("another secret of thirty-two bytes!".utf8)),
            "", ".", "..", "a.b.c", String(good.dropLast()), good + "x", good + ".x",
            good.split(separator: ".").prefix(2).joined(separator: ".") + ".",
        ]
        for index in good.indices where good[index] != "." {
            var text = good
            text.replaceSubrange(index...index, with: good[index] == "A" ? "B" : "A")
            bad.append(text)
        }
        for text in bad {
            #expect(throws: WireError.self) { try signer.claims(of: text, now: now) }
        }
    }

    @Test func `a secret of 31 bytes is too short`() {
        #expect(TokenSigner(secret: Array(repeating: 1, count: 31)) == nil)
        #expect(TokenSigner(secret: Array(repeating: 1, count: 32)) != nil)
    }
}
