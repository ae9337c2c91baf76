import Foundation
import Testing
import YonderRules

@testable import YonderModel

struct FixReportTests {
    private func read(_ json: String) throws -> FixReport { try FixReport(json: Array(json.utf8)) }

    @Test func `a whole fix is read`() throws {
        let fix = try read(
            #"""
             {"latitude": 60.1699, "longitude":24.9384,"accuracy":12,"altitude":-3.5,"altitude_accuracy":8,
              "heading":360,"speed":1.4e0,"battery":0.5,"next_within":10,"recorded_at":"2026-11-30T12:00:00Z",
              "sent_at":"2026-11-30T12:00:01Z","device_id":"phone","message_ids":["m-1","m-2"],
              "extra":{"deep":[1,"x\n",null,true]}}
            """#)
        #expect(fix.position.coordinate.latitude == 60.1699)
        #expect(fix.position.heading == 0)
        #expect(fix.position.speed == 1.4)
        #expect(fix.recordedAt?.rfc3339 == "2026-11-30T12:00:00.000Z")
        #expect(fix.deviceId?.rawValue == "phone")
        #expect(fix.messageIds?.map(\.rawValue) == ["m-1", "m-2"])
    }

    @Test func `values that mean unknown are dropped`() throws {
        let fix = try read(
            #"{"latitude":0,"longitude":0,"accuracy":0,"speed":-1,"heading":-1,"battery":-1,"altitude":null}"#
        )
        #expect(fix.position.coordinate.latitude == 0)
        #expect(
            [fix.position.accuracy, fix.position.speed, fix.position.heading, fix.position.battery].allSatisfy
            {
                $0 == nil
            })
        #expect(try read(#"{"latitude":0,"longitude":0,"accuracy":-5}"#).position.accuracy == nil)
    }

    @Test(arguments: ["0e-400", "-0.0", "0.00000000000000000000", "5e-324", "0e999999999999999999999"])
    func `a number that is nothing, or nearly, is read`(number: String) throws {
        let fix = try read(#"{"latitude":\#(number),"longitude":1}"#)
        #expect(fix.position.coordinate.latitude == Double(number))
    }

    @Test(arguments: [
        (#"{"longitude":1}"#, "/latitude"), (#"{"latitude":1}"#, "/longitude"),
        (#"{"latitude":"1","longitude":1}"#, "/latitude"), (#"{"latitude":true,"longitude":1}"#, "/latitude"),
        (#"{"latitude":90.1,"longitude":1}"#, "/latitude"),
        (#"{"latitude":1,"longitude":-180.5}"#, "/longitude"),
        (#"{"latitude":1e400,"longitude":1}"#, "/latitude"),
        (#"{"latitude":-1e-400,"longitude":1}"#, "/latitude"),
        (#"{"latitude":null,"longitude":1}"#, "/latitude"),
        (#"{"latitude":1,"longitude":1,"heading":361}"#, "/heading"),
        (#"{"latitude":1,"longitude":1,"battery":1.01}"#, "/battery"),
        (#"{"latitude":1,"longitude":1,"recorded_at":"2026-11-30T12:00:00"}"#, "/recorded_at"),
        (#"{"latitude":1,"longitude":1,"sent_at":5}"#, "/sent_at"),
        (#"{"latitude":1,"longitude":1,"device_id":"a b"}"#, "/device_id"),
        (#"{"latitude":1,"longitude":1,"message_ids":"m"}"#, "/message_ids"),
        (#"{"latitude":1,"longitude":1,"message_ids":["m",3]}"#, "/message_ids/1"),
        ("[1]", ""), ("5", ""), (#""text""#, ""),
    ])
    func `a wrong value names its field`(json: String, field: String) {
        #expect {
            try read(json)
        } throws: { error in
            let error = error as? WireError
            return error?.code == .invalidArgument && error?.field == field
        }
    }

    @Test(arguments: [
        "", "{", "{}x", #"{"latitude":NaN,"longitude":1}"#, #"{"latitude":01,"longitude":1}"#,
        #"{"latitude":1.,"longitude":1}"#, #"{"latitude":.5,"longitude":1}"#, #"{"latitude":1,}"#,
        #"{"latitude" 1}"#, #"{'latitude':1}"#, #"{"latitude":200,"longitude":1"#, #"{"a":"\x"}"#,
        #"{"a":"\ud800"}"#, #"{"a":tru}"#, "{\"a\":\"\u{1}\"}", #"{"latitude":1e,"longitude":1}"#, "nul",
        String(repeating: "[", count: 100_000),
    ])
    func `broken JSON is called that, wherever it breaks`(json: String) {
        #expect {
            try read(json)
        } throws: {
            ($0 as? WireError)?.code == .invalidJSON
        }
    }

    @Test func `invalid UTF-8 is refused`() {
        let bytes = Array(#"{"latitude":1,"longitude":1,"x":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
        #expect {
            try FixReport(json: bytes)
        } throws: {
            ($0 as? WireError)?.code == .invalidJSON
        }
    }

    @Test func `every truncation is refused and none is read`() throws {
        let whole = Array(#"{"latitude":60.5,"longitude":24.5,"recorded_at":"2026-11-30T12:00:00Z"}"#.utf8)
        for length in 0..<whole.count {
            #expect(throws: WireError.self) { try FixReport(json: Array(whole[..<length])) }
        }
    }

    @Test func `numbers are read to the last digit, as Foundation reads them`() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let latitude = Double.random(in: -90...90, using: &random)
            let longitude = Double.random(in: -180...180, using: &random) * 1e-5
            let fix = try read(#"{"latitude":\#(latitude),"longitude":\#(longitude)}"#)
            #expect(fix.position.coordinate.latitude == latitude)
            #expect(fix.position.coordinate.longitude == longitude)
        }
    }

    @Test func `a mutated body never traps and agrees with Foundation on what is JSON`() {
        let seedBody = Array(
            #"{"latitude":60.5,"longitude":-24.25e0,"x":"é\u00e9\n","l":[1,{"a":null}],"device_id":"d"}"#.utf8
        )
        var state: UInt64 = 42
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        var read = 0
        for _ in 0..<20_000 {
            var body = seedBody
            for _ in 0...next(2) {
                body[next(body.count)] = Array("{}[]\",:0123456789.eE+-ntfu\\ é\0".utf8)[next(31)]
            }
            let ours: Bool
            do {
                _ = try FixReport(json: body)
                ours = true
            } catch {
                ours = error.code != .invalidJSON
            }
            let theirs = (try? WireJSON.decode(Anything.self, from: body)) != nil
            #expect(ours == theirs, "\(String(decoding: body, as: UTF8.self))")
            if ours { read += 1 }
        }
        #expect(read > 1000)
    }
}

/// Any JSON value, as Foundation sees it.
private struct Anything: Decodable {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int?
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    // Foundation checks a value only when it is decoded, so every one is.
    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Key.self) {
            for key in object.allKeys { _ = try object.decode(Anything.self, forKey: key) }
        } else if var list = try? decoder.unkeyedContainer() {
            while !list.isAtEnd { _ = try list.decode(Anything.self) }
        } else {
            let single = try decoder.singleValueContainer()
            if single.decodeNil() || (try? single.decode(Bool.self)) != nil { return }
            if (try? single.decode(String.self)) == nil { _ = try single.decode(Double.self) }
        }
    }
}
