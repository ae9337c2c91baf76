import Foundation
import Synchronization
import Testing
import YonderCurl
import YonderModel
import YonderRules
import YonderTestSupport

@testable import YonderServer

/// Ends of a server that are not a crash.
@Suite(.serialized) struct StopTests {
    private final class Ledger: Sendable {
        private let contents = Mutex<(acknowledged: [String], unanswered: [String])>(([], []))
        var all: (acknowledged: [String], unanswered: [String]) { contents.withLock { $0 } }

        func note(_ id: String, wasAnswered: Bool) {
            contents.withLock { contents in
                if wasAnswered { contents.acknowledged.append(id) } else { contents.unanswered.append(id) }
            }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a server that is told to stop answers what it has begun`() async throws {
        let folder = NSTemporaryDirectory() + "yonder-stop-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ledger = Ledger()
        for round in 0..<4 {
            let server = try await ServerProcess(folder: folder)
            _ = await server.call("POST", "/v1/channels", as: "anna", json: #"{"type":"team","id":"x"}"#)
            let status = await withDiscardingTaskGroup(returning: Int32.self) { group in
                for worker in 0..<8 {
                    group.addTask { await Self.send(to: server, "m-\(round)-\(worker)", ledger) }
                }
                let before = ledger.all.acknowledged.count
                _ = await eventually(within: 20) { ledger.all.acknowledged.count > before + 30 }
                return await server.stop()
            }
            #expect(status == 0)
        }
        let server = try await ServerProcess(folder: folder)
        let (acknowledged, unanswered) = ledger.all
        #expect(acknowledged.count > 50 && !unanswered.isEmpty)
        for id in acknowledged {
            #expect(
                await server.call("GET", "/v1/messages/\(id)", as: "anna")?.status == 200, "\(id) is lost")
        }
        for id in unanswered {
            #expect(
                await server.call("GET", "/v1/messages/\(id)", as: "anna")?.status == 404,
                "\(id) was stored and not answered")
        }
        #expect(await server.stop() == 0)
    }

    @Test func `a server that has just said that it is ready hears that it is to stop`() async throws {
        let folder = NSTemporaryDirectory() + "yonder-stop-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for _ in 0..<20 {
            let server = try await ServerProcess(folder: folder, isBehindNginx: false)
            #expect(await server.stop() == 0)
        }
    }

    /// Sends until there is no answer.
    private static func send(to server: ServerProcess, _ prefix: String, _ ledger: Ledger) async {
        let client = CurlHTTP(caFile: TestCertificate.file(for: server.base))
        for number in 0... {
            let id = "\(prefix)-\(number)"
            let answer = await server.call(
                "POST", "/v1/channels/team:x/messages", as: "anna", json: #"{"id":"\#(id)","text":"t"}"#,
                over: client)
            switch answer?.status {
            case 201: ledger.note(id, wasAnswered: true)
            case nil: return ledger.note(id, wasAnswered: false)
            // Too slow a disk: what took longer than the server waits may be there or not.
            default: return
            }
        }
    }

    @Test func `a log that cannot be written does not end the server`() async {
        await #expect(processExitsWith: .success) {
            let full = open("/dev/full", O_WRONLY)
            dup2(full, 2)
            Log.standardError.info("nobody will read this")
            signal(SIGPIPE, SIG_IGN)
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            close(ends[0])
            dup2(ends[1], 2)
            Log.standardError.error("nor this")
        }
    }
}

struct RetentionTests {
    @Test func `an ended share's place is erased after the agreed days, and its message says so`()
        async throws
    {
        let clock = TestClock()
        let folder = NSTemporaryDirectory() + "yonder-retention-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func run(_ body: (TestServer) async throws -> Void) async throws {
            try await TestServer.run(
                folder: folder, clock: { clock.now }, configure: { $0.retention.days = 3 }, body)
        }
        try await run { server in
            try await server.makeChannel(["anna"])
            try await server.share("anna", id: "m", seconds: 60).expect(201)
            try await server.call(
                "POST", "/v1/channels/team:x/messages", as: "anna",
                json: #"{"id":"s","shared_location":{"latitude":1.5,"longitude":2}}"#
            ).expect(201)
        }
        clock.advance(3600)
        try await run { server in
            let kept = try await server.call("GET", "/v1/messages/m", as: "anna").expect(200)
            #expect(kept.number("shared_location", "latitude") == 60.17)
        }
        clock.advance(4 * 86_400)
        try await run { server in
            let isErased = await eventually {
                let read = try? await server.call("GET", "/v1/messages/m", as: "anna")
                return read?["shared_location", "erased"] as? Bool == true
                    && read?["shared_location", "latitude"] == nil
            }
            #expect(isErased)
            let fixed = try await server.call("GET", "/v1/messages/s", as: "anna")
            #expect(fixed.number("shared_location", "latitude") == 1.5)
        }
    }

    @Test func `the days are counted back from now`() {
        var retention = Retention()
        let now = Timestamp(milliseconds: 100 * 86_400_000)
        #expect(retention.endedBefore(now) == Timestamp(milliseconds: 70 * 86_400_000))
        #expect(retention.sentBefore(now) == nil)
        retention.staticDays = 10
        #expect(retention.sentBefore(now) == Timestamp(milliseconds: 90 * 86_400_000))
        #expect(retention.eventsBefore(now) == Timestamp(milliseconds: 93 * 86_400_000))
    }
}
