import Testing
import YonderMap

@Suite struct GzipTests {
    /// `printf 'hello hello hello hello' | gzip -n -9`
    static let hello: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9,
        0xc9, 0x57, 0xc8, 0x40, 0x27, 0x01, 0xe3, 0x51, 0x3d, 0x8d, 0x17, 0x00, 0x00, 0x00,
    ]

    @Test func `a member comes out whole`() throws {
        #expect(try Gzip.inflate(Self.hello, maxBytes: 23) == Array("hello hello hello hello".utf8))
    }

    @Test func `one byte more than allowed is refused`() {
        let error = #expect(throws: MapError.self) { try Gzip.inflate(Self.hello, maxBytes: 22) }
        #expect(error?.code == .tooLarge)
    }

    @Test(arguments: 0..<hello.count)
    func `a member cut short is malformed`(length: Int) {
        let error = #expect(throws: MapError.self) {
            try Gzip.inflate(Array(Self.hello[..<length]), maxBytes: 100)
        }
        #expect(error?.code == .malformed)
    }

    @Test func `a wrong checksum is malformed`() {
        var bytes = Self.hello
        bytes[bytes.count - 5] ^= 1
        let error = #expect(throws: MapError.self) { try Gzip.inflate(bytes, maxBytes: 100) }
        #expect(error?.code == .malformed)
    }
}
