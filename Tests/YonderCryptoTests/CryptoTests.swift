import Testing
import YonderCrypto

struct CryptoTests {
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ])
    func `SHA-1 gives the digests of FIPS 180`(text: String, digest: String) {
        #expect(hex(Crypto.sha1(Array(text.utf8))) == digest)
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func `SHA-256 gives the digests of FIPS 180`(text: String, digest: String) {
        #expect(hex(Crypto.sha256(Array(text.utf8))) == digest)
    }

    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        ([], "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ])
    func `HMAC-SHA-256 gives the digests of RFC 4231`(key: [UInt8], message: String, digest: String) {
        #expect(hex(Crypto.hmacSHA256(key: key, Array(message.utf8))) == digest)
    }

    @Test(arguments: [0, 1, 16, 4096])
    func `random bytes come in the number asked for`(count: Int) {
        #expect(Crypto.randomBytes(count).count == count)
    }

    @Test func `random bytes do not repeat and use all bits`() {
        #expect(Crypto.randomBytes(16) != Crypto.randomBytes(16))
        #expect(Set(Crypto.randomBytes(8192)).count == 256)
    }

    @Test func `comparison sees length and every byte`() {
        let secret: [UInt8] = [1, 2, 3]
        #expect(Crypto.constantTimeEquals(secret, [1, 2, 3]))
        #expect(Crypto.constantTimeEquals([], []))
        for other: [UInt8] in [[], [1, 2], [1, 2, 3, 0], [0, 2, 3], [1, 2, 4]] {
            #expect(!Crypto.constantTimeEquals(secret, other))
        }
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }
}
