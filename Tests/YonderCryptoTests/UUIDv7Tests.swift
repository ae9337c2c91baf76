import Testing
import YonderCrypto

struct UUIDv7Tests {
    @Test func `the time of RFC 9562's example leads`() {
        #expect(UUIDv7.make(milliseconds: 0x017F_22E2_79B0).hasPrefix("017f22e2-79b0-7"))
    }

    @Test func `version and variant stand in their places`() {
        for _ in 0..<200 {
            let text = Array(UUIDv7.make(milliseconds: 1_700_000_000_000))
            #expect(text.count == 36)
            #expect([8, 13, 18, 23].allSatisfy { text[$0] == "-" })
            #expect(text[14] == "7")
            #expect("89ab".contains(text[19]))
        }
    }

    @Test func `later ones sort behind and none repeats`() {
        let made = (0..<500).map { UUIDv7.make(milliseconds: 1_700_000_000_000 + Int64($0)) }
        #expect(made == made.sorted())
        #expect(Set((0..<500).map { _ in UUIDv7.make(milliseconds: 0) }).count == 500)
    }
}
