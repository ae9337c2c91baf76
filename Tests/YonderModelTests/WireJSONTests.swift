import Foundation
import Testing
import YonderGeo
import YonderRules

@testable import YonderModel

struct WireJSONTests {
    private struct Body: Decodable {
        struct Inner: Decodable { var end: Timestamp? }
        var text: String?
        var number: Double?
        var whole: Int?
        var inner: Inner?
        var id: UserId?
    }

    @Test(arguments: [
        (#"{"text":1}"#, "/text"), (#"{"number":"1"}"#, "/number"), (#"{"number":1e400}"#, "/number"),
        (#"{"inner":{"end":"2026-11-30T12:00:00"}}"#, "/inner/end"), (#"{"inner":{"end":7}}"#, "/inner/end"),
        (#"{"inner":[]}"#, "/inner"), (#"{"id":"a b"}"#, "/id"), ("[]", ""), ("3", ""), (#""x""#, ""),
        (#"{"x":0.5,"text":1,"y":2.5}"#, "/text"), (#"{"number":1.5,"inner":{"end":"soon"}}"#, "/inner/end"),
        (#"{"number":2.5,"whole":1.5}"#, "/number"), (#"{"whole":1e30}"#, "/whole"),
        (#"{"text":1,"number":1e400}"#, "/text"), (#"{"x":0,"number":1e-400}"#, "/number"),
    ])
    func `a wrong value is 422 and names its field`(json: String, field: String) {
        #expect {
            try WireJSON.decode(Body.self, from: Array(json.utf8))
        } throws: { error in
            let error = error as? WireError
            return error?.code == .invalidArgument && error?.field == field
        }
    }

    @Test(arguments: [
        Array("".utf8), Array("{".utf8), Array(#"{"text":"a",}"#.utf8), Array(#"{"x":[1,]}"#.utf8),
        Array(#"{"text":"a","x":01}"#.utf8), Array("{} x".utf8), Array(#"{"number":NaN}"#.utf8),
        Array(#"{"text":"a"#.utf8), [0xFF, 0xFE, 0x7B, 0, 0x7D, 0], [0x7B, 0x22, 0xC3, 0x28, 0x22, 0x7D],
    ])
    func `what is no UTF-8 JSON is 400`(bytes: [UInt8]) {
        #expect {
            try WireJSON.decode(Body.self, from: bytes)
        } throws: {
            ($0 as? WireError)?.code == .invalidJSON
        }
    }

    @Test(arguments: [#"{"number":0e4}"#, #"{"inner":{"end":null},"number":0E1}"#])
    func `JSON that Foundation cannot read is not called broken`(json: String) {
        do {
            let body = try WireJSON.decode(Body.self, from: Array(json.utf8))
            #expect(body.number == 0)
        } catch {
            #expect(error.code == .invalidArgument)
            #expect(error.field == "")
        }
    }

    @Test func `null is absence and unknown keys are ignored`() throws {
        let body = try WireJSON.decode(Body.self, from: Array(#"{"text":null,"number":null,"new":[1]}"#.utf8))
        #expect(body.text == nil && body.number == nil)
    }
}

struct ServerEventTests {
    private let update: LocationUpdate = {
        var position = Position(coordinate: Coordinate(latitude: -0.1, longitude: 179.99999999999997)!)
        position.accuracy = 0.1
        position.altitude = -1e-7
        position.heading = 0
        position.nextWithin = 1e21
        return LocationUpdate(
            channelId: ChannelId("messaging:a")!, messageId: MessageId("m_-1")!, userId: UserId("a.b@c")!,
            position: position, recordedTime: Timestamp(milliseconds: 1_796_040_000_001))
    }()

    @Test func `a position event written by hand is what Foundation reads`() throws {
        let event = try WireJSON.decode(ServerEvent.self, from: update.eventJSON())
        #expect(event == .locationUpdated(update))
    }

    @Test func `a shared location goes over the wire and back`() throws {
        var share = SharedLocation(
            messageId: update.messageId, channelId: update.channelId, userId: update.userId,
            createdByDeviceId: DeviceId("d"), fedByDeviceId: nil, position: update.position,
            recordedTime: update.recordedTime, createdTime: Timestamp(milliseconds: 1),
            updatedTime: Timestamp(milliseconds: 2), endTime: Timestamp(milliseconds: 3))
        #expect(try WireJSON.decode(SharedLocation.self, from: WireJSON.encode(share)) == share)
        share.endedTime = share.endTime
        share.endedReason = .expired
        share = share.asSeen(at: Timestamp(milliseconds: 2))
        #expect(!share.isLiveSharingActive)
        let json = WireJSON.encode(
            OutgoingEvent(
                .locationEnded,
                LocationEvent(channelId: share.channelId, seq: 7, messageId: share.messageId, location: share)
            ))
        guard case .locationEnded(let event) = try WireJSON.decode(ServerEvent.self, from: json) else {
            Issue.record("another event")
            return
        }
        #expect(event.location == share && event.seq == 7)
    }

    @Test func `an event of a newer server is kept by its name`() throws {
        let event = try WireJSON.decode(ServerEvent.self, from: Array(#"{"event":"poll.new","x":1}"#.utf8))
        #expect(event == .unknown("poll.new"))
    }
}

struct ErrorCodeTests {
    @Test(arguments: [
        ("unauthenticated", 401), ("token_expired", 401), ("forbidden", 403),
        ("location_sharing_disabled", 403),
        ("not_found", 404), ("method_not_allowed", 405), ("conflict", 409), ("live_location_ended", 409),
        ("not_live", 409), ("payload_too_large", 413), ("unsupported_media_type", 415), ("invalid_json", 400),
        ("invalid_argument", 422), ("location_in_thread", 422), ("device_required", 422),
        ("rate_limited", 429), ("internal", 500), ("unavailable", 503),
    ])
    func `every code of the protocol has its status`(wire: String, status: Int) {
        #expect(ErrorCode(wire: wire).wire == wire)
        #expect(ErrorCode(wire: wire).status == status)
        #expect(!ErrorCode(wire: wire).title.isEmpty)
    }

    @Test func `a description holds the code and the field, no values`() {
        let error = WireError(.invalidArgument, "latitude must be a number in -90...90", field: "/latitude")
        #expect(error.description == "invalid_argument: latitude must be a number in -90...90 (/latitude)")
    }
}
