import Testing
import YonderLocation

@testable import yonder

struct ValuesTests {
    @Test(arguments: [
        ("90s", 90), ("30m", 1_800), ("8h", 28_800), ("7d", 604_800), ("1h30m", 5_400), ("1d2h3m4s", 93_784),
        ("0h5m", 300), ("604800s", 604_800),
    ])
    func `durations are numbers with units`(_ text: String, _ seconds: Int) {
        #expect(Values.duration(text) == .seconds(seconds))
    }

    @Test(arguments: [
        "", "5", "m", "5x", "5 m", "-5m", "+5m", "1.5h", "5m1h", "5m5m", "5mm", "0s", "8d", "604801s", "30M",
        "99999999999999999999h", "٣m", "5m3",
    ])
    func `anything else is no duration`(_ text: String) { #expect(Values.duration(text) == nil) }

    @Test(arguments: [
        ("60.17,24.94", 60.17, 24.94), ("-33.9,151.2", -33.9, 151.2), ("0,0", 0, 0), ("90, -180", 90, -180),
    ])
    func `a place is two numbers`(_ text: String, _ latitude: Double, _ longitude: Double) {
        #expect(Values.place(text) == Coordinate(latitude: latitude, longitude: longitude))
    }

    @Test(arguments: ["", "1", "1,", ",1", "1,2,3", "91,0", "0,181", "nan,0", "0x1,0", "1;2", "1 2", "inf,0"])
    func `anything else is no place`(_ text: String) { #expect(Values.place(text) == nil) }

    @Test(arguments: [("1", 1.0), ("0.5", 0.5), ("60", 60), ("1e2", 100)])
    func `a speed is a number over nothing`(_ text: String, _ speed: Double) {
        #expect(Values.speed(text) == speed)
        for wrong in ["0", "-1", "x", "nan", "inf", "100001", ""] { #expect(Values.speed(wrong) == nil) }
    }

    @Test(arguments: ["http://localhost:8080", "https://yonder.example/base/", "HTTP://[::1]:80"])
    func `a server is a web address`(_ text: String) {
        #expect(Values.server(text) != nil)
        for wrong in [
            "", "localhost", "ftp://a", "http://", "http://a?b", "http://a#b", "http://u:p@a", "ws://a",
        ] {
            #expect(Values.server(wrong) == nil)
        }
    }
}
