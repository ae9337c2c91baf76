import Testing
import YonderHTTP
import YonderModel
import YonderRules

@testable import YonderServer

/// Times as apps spell them; all of the first table are 2026-11-30T12:00:00Z, but for fractions.
struct AppTimeTests {
    private static let noon = Timestamp(milliseconds: 1_796_040_000_000)

    @Test(arguments: [
        ("1796040000", 0), ("1796040000.5", 500), ("1796040000000", 0), ("1796040000123", 123),
        ("1.79604e9", 0), ("2026-11-30T12:00:00Z", 0), ("2026-11-30T12:00:00.25Z", 250),
        ("2026-11-30T05:00:00-0700", 0), ("2026-11-30T05:00:00-07:00", 0), ("2026-11-30T14:00:00+02", 0),
        ("2026-11-30T17:30:00+0530", 0), ("2026-11-30T14:00:00 0200", 0), ("2026-11-30T12:00:00", 0),
        ("2026-11-30T12:00:00.5", 500), ("2026-11-30 12:00:00", 0), ("2026-11-30 12:00:00.5", 500),
        ("2026-11-30 14:00:00+02:00", 0), ("2026-11-30t12:00:00z", 0),
    ])
    func `a time is read in every spelling`(text: String, milliseconds: Int64) {
        let expected = AppTime.at(Self.noon.advanced(byMilliseconds: milliseconds))
        #expect(AppTime(text: text) == expected)
        #expect(AppTime(.text(text)) == expected)
    }

    @Test func `seconds and milliseconds are told apart where seconds would be in 2038`() {
        #expect(AppTime(.number(2_147_483_646)) == .at(Timestamp(milliseconds: 2_147_483_646_000)))
        #expect(AppTime(.number(2_147_483_647)) == .at(Timestamp(milliseconds: 2_147_483_647)))
    }

    @Test(arguments: [
        "", "noon", "0", "-1", "1e300", "2026-11-30", "2026-11-30T25:00:00Z", "2026-02-30T12:00:00Z",
        "2026-11-30T12:00:00+2", "2026-11-30T12:00:00Zx", "12:00:00", "infinity", "nan",
        "2026/11/30 12:00:00",
    ])
    func `what is no time is unreadable`(text: String) { #expect(AppTime(text: text) == .unreadable) }

    @Test func `what is not there is missing, and another value is no time`() {
        #expect(AppTime(nil) == .missing)
        #expect(AppTime(nil, .number(1_796_040_000)) == .at(Self.noon))
        #expect(AppTime(.bool(true)) == .unreadable && AppTime(.list([])) == .unreadable)
    }

    @Test func `the zone's plus survives a query and a form`() {
        for sign in ["+", "%2B"] {
            let form = HTTPQuery(form: Array("lat=1&lon=2&timestamp=2026-11-30T14:00:00\(sign)02:00".utf8))
            let read = IngestApp.osmand.read(query: form, body: [])
            #expect(read.fixes.map(\.recordedAt) == [Self.noon])
        }
    }
}
