import Foundation
import Testing

@testable import YonderModel

struct CommandHeadTests {
    private func head(_ text: String) -> CommandHead { CommandHead(json: Array(text.utf8)) }

    @Test(
        arguments: [
            (#"{"op":"ping"}"#, "ping", nil), (#" { "id" : 7 , "op" : "fix" , "latitude" : 1 } "#, "fix", 7),
            (#"{"op":"a","op":"b","id":1,"id":-2}"#, "b", -2), (#"{"op":"fix","id":null}"#, "fix", nil),
            (#"{"op":"fi\u0078","id":1e2,"x":{"op":"no","id":[3]}}"#, "fix", 100),
            (#"{"op":"x","id":9007199254740992}"#, "x", 9_007_199_254_740_992),
            (#"{"op":"x","id":9007199254740993}"#, "x", 9_007_199_254_740_993),
            (#"{"op":"x","id":9223372036854775807}"#, "x", Int.max),
            (#"{"op":"x","id":-9223372036854775808}"#, "x", Int.min),
        ] as [(String, String, Int?)])
    func `the op and the number are found among whatever else there is`(text: String, op: String, id: Int?) {
        let head = head(text)
        #expect(head.problem == nil)
        #expect(head.op == op)
        #expect(head.id == id)
    }

    @Test(
        arguments: [
            ("", .invalidJSON, nil, nil), ("{", .invalidJSON, nil, nil),
            (#"{"op":"fix"} x"#, .invalidJSON, nil, nil),
            (#"{"id":4,"op":"fix",}"#, .invalidJSON, nil, nil), ("nonsense", .invalidJSON, nil, nil),
            ("[]", .invalidArgument, "", nil), ("7", .invalidArgument, "", nil),
            (#"{"id":4}"#, .invalidArgument, "/op", 4), (#"{"op":5,"id":4}"#, .invalidArgument, "/op", 4),
            (#"{"op":null,"id":4}"#, .invalidArgument, "/op", 4),
            (#"{"op":"fix","id":"4"}"#, .invalidArgument, "/id", nil),
            (#"{"op":"fix","id":1.5}"#, .invalidArgument, "/id", nil),
            (#"{"op":"fix","id":1e400}"#, .invalidArgument, "/id", nil),
            (#"{"op":"fix","id":1e-400}"#, .invalidArgument, "/id", nil),
            (#"{"op":"fix","id":9223372036854775808}"#, .invalidArgument, "/id", nil),
        ] as [(String, ErrorCode, String?, Int?)])
    func `what is wrong is named, with the command's number where it has one`(
        text: String, code: ErrorCode, field: String?, id: Int?
    ) {
        let head = head(text)
        #expect(head.op == nil)
        #expect(head.problem?.code == code)
        #expect(head.problem?.field == field)
        #expect(head.id == id)
    }
}

struct FixOutcomeTests {
    private struct Ack: Decodable {
        var event: String
        var id: Int?
    }

    @Test(arguments: [
        FixOutcome(), FixOutcome(applied: [MessageId("a")!]),
        FixOutcome(
            applied: [MessageId("a")!, MessageId("b-_9")!],
            skipped: [
                .init(messageId: MessageId("c")!, reason: .beforeStart),
                .init(messageId: MessageId("d")!, reason: .notFound),
            ]),
    ])
    func `an outcome reads back as it was, as an answer and as an event`(outcome: FixOutcome) throws {
        #expect(try WireJSON.decode(FixOutcome.self, from: outcome.json()) == outcome)
        for id in [nil, 0, -3, Int.max] {
            let json = outcome.ackJSON(id: id)
            #expect(try WireJSON.decode(FixOutcome.self, from: json) == outcome)
            let ack = try WireJSON.decode(Ack.self, from: json)
            #expect(ack.event == "ack")
            #expect(ack.id == id)
        }
    }
}
