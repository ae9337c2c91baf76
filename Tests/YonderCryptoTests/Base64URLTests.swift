import Testing
import YonderCrypto

struct Base64URLTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func `the vectors of RFC 4648 go both ways`(plain: String, coded: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == coded)
        #expect(Base64URL.decode(coded) == Array(plain.utf8))
    }

    @Test func `the alphabet is the one for URLs`() {
        #expect(Base64URL.encode([0xfb, 0xff, 0xfe]) == "-__-")
    }

    @Test(arguments: [
        "Zg==", "Zg=", "Z", "Zm9vY", "Zh", "Zm9", "Zm 9v", "Zm+v", "Zm/v", "Zm9v\n", "Zmäv", "Zg\0",
    ])
    func `anything but the one spelling is refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `every length comes back`() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }
}
