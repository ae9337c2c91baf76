import Foundation
import Testing
import YonderModel
import YonderRules

struct TimestampTests {
    @Test(arguments: [
        ("2026-11-30T12:00:00Z", "2026-11-30T12:00:00.000Z"),
        ("2026-11-30T12:00:00.1239999Z", "2026-11-30T12:00:00.123Z"),
        ("2026-11-30t14:00:00.5+02:00", "2026-11-30T12:00:00.500Z"),
        ("2026-11-29T23:30:00-12:30", "2026-11-30T12:00:00.000Z"),
        ("2024-02-29T00:00:00z", "2024-02-29T00:00:00.000Z"),
        ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
    ])
    func `any offset and fraction is read and written as UTC milliseconds`(text: String, utc: String) {
        #expect(Timestamp(rfc3339: text)?.rfc3339 == utc)
    }

    @Test(arguments: [
        "", "2026-11-30", "2026-11-30T12:00:00", "2026-11-30T12:00:00.Z", "2026-11-30 12:00:00Z",
        "2026-02-30T12:00:00Z", "2025-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-30T24:00:00Z",
        "2026-11-30T12:60:00Z", "2026-11-30T12:00:61Z", "2026-11-30T12:00:00+0200",
        "2026-11-30T12:00:00Zx", "+026-11-30T12:00:00Z", "２０２６-11-30T12:00:00Z",
    ])
    func `a time without a zone or with a wrong number is refused`(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func `every day of eight centuries reads back as itself`() {
        for day in stride(from: Int64(-150_000), through: 150_000, by: 1) {
            let time = Timestamp(milliseconds: day * 86_400_000 + 43_200_123)
            #expect(Timestamp(rfc3339: time.rfc3339) == time)
        }
    }

    @Test func `Foundation reads what is written`() throws {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for milliseconds: Int64 in [0, 1_796_040_000_123, -1, 951_782_400_000, 4_102_444_799_999] {
            let time = Timestamp(milliseconds: milliseconds)
            #expect(Timestamp(try style.parse(time.rfc3339)) == time)
            #expect(Timestamp(time.date) == time)
        }
    }
}

struct IdentifierTests {
    @Test(arguments: ["a", "anna.b@x_y-z", String(repeating: "x", count: 64)])
    func `a user's id of the alphabet is read`(text: String) {
        #expect(UserId(text)?.rawValue == text)
    }

    @Test(arguments: ["", "a b", "ä", "🗺️", "a/b", "<img>", String(repeating: "x", count: 65)])
    func `another text is no user's id`(text: String) { #expect(UserId(text) == nil) }

    @Test(arguments: ["messaging:demo", "a:b", "team:A_b-9"])
    func `a channel's id has a type and an id`(text: String) {
        let id = ChannelId(text)
        #expect(id.map { "\($0.type):\($0.id)" } == text)
    }

    @Test(arguments: ["messaging", ":x", "a:", "A:b", "a:b:c", "a:b.c", "a1:b", "::"])
    func `another text is no channel's id`(text: String) { #expect(ChannelId(text) == nil) }
}
