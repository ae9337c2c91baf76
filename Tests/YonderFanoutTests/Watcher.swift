import Foundation
import Synchronization
import YonderModel
import YonderTestSupport

@testable import YonderFanout

/// A client that keeps the first word of every text it got, and reads only when told to.
final class Watcher {
    struct TooLate: Error { let heard: [String] }

    let stage: Stage
    private let key: String
    private let client: RawClient
    private var buffer: [UInt8] = []
    private var start = 0
    /// First words, the greeting included; of an event `resync` "resync:" and its channel.
    private(set) var heard: [String] = []
    private(set) var closeCode: Int?
    /// Whether nothing comes any more.
    private(set) var isGone = false

    /// Connects as a user (see `StageService`); `receiveBuffer` bytes are what the kernel keeps for it.
    init(
        _ stage: Stage, _ user: String = "ann", receiveBuffer: Int32? = nil, isAdmitted: Bool = true
    ) async throws {
        self.stage = stage
        let port = stage.port.withLock { $0 }
        let client = try RawClient(port: port, receiveBuffer: receiveBuffer)
        self.client = client
        key = stage.newKey()
        _ = try await client.openWebSocket(path: "/" + user, early: RawClient.masked(key))
        let deadline = ContinuousClock.now + .seconds(20)
        while isAdmitted, stage.commands.handle(key) == nil, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(1))
        }
        guard !isAdmitted || stage.commands.handle(key) != nil else { throw TooLate(heard: []) }
    }

    /// The connection as the server's other threads see it.
    var handle: ViewerHandle { stage.commands.handle(key)! }

    /// Watches channels with nothing to come first, and waits until it does.
    func watch(_ topics: Topic...) async throws {
        handle.watch(topics, answer: Array("watching".utf8))
        for topic in topics { handle.open(topic, with: [Array("open".utf8)]) }
        let count = heard.count { $0 == "open" } + topics.count
        try await listen { heard in heard.count { $0 == "open" } >= count }
        forget()
    }

    func open(_ topic: Topic, with texts: [String]) {
        handle.open(topic, with: texts.map { Array($0.utf8) })
    }

    func say(_ text: String) async throws { try await client.write(RawClient.masked(text)) }

    /// Goes without a word.
    func hangUp() {
        shutdown(client.descriptor, Int32(SHUT_RDWR))
        isGone = true
    }

    /// Forgets what it heard so far.
    func forget() { heard = [] }

    /// Reads until it has heard enough.
    func listen(until isEnough: ([String]) -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        drain()
        while !isEnough(heard) {
            guard ContinuousClock.now < deadline, !isGone else { throw TooLate(heard: heard) }
            try await Task.sleep(for: .milliseconds(1))
            drain()
        }
    }

    /// Reads until a text has come.
    func listen(until last: String) async throws { try await listen { $0.last == last || $0.contains(last) } }

    /// Reads until the connection is closed.
    func listenToEnd() async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while !isGone {
            guard ContinuousClock.now < deadline else { throw TooLate(heard: heard) }
            try await Task.sleep(for: .milliseconds(1))
            drain()
        }
    }

    /// Takes what has come, at most some bytes, without waiting.
    func drain(upTo limit: Int = .max) {
        var piece = [UInt8](repeating: 0, count: min(65_536, limit))
        var taken = 0
        while taken < limit, !isGone {
            let count = recv(client.descriptor, &piece, piece.count, Int32(MSG_DONTWAIT))
            if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { hangUp() }
            guard count > 0 else { break }
            taken += count
            buffer += piece[..<count]
            takeFrames()
        }
    }

    private func takeFrames() {
        while let frame = takeFrame() {
            switch frame.opcode {
            case 0x81: heard.append(firstWord(String(decoding: frame.payload, as: UTF8.self)))
            case 0x88: closeCode = frame.payload.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            default: break
            }
        }
        buffer.removeFirst(start)
        start = 0
    }

    private func firstWord(_ text: String) -> String {
        guard text.hasPrefix("{") else { return String(text.prefix { $0 != " " }) }
        for channel in [ChannelId.x, .y] where text.contains("\"resync\"") && text.contains("\"\(channel)\"")
        {
            return "resync:\(channel)"
        }
        return text
    }

    private func takeFrame() -> (opcode: UInt8, payload: ArraySlice<UInt8>)? {
        let rest = buffer[start...]
        guard rest.count >= 2 else { return nil }
        var length = Int(rest[start + 1])
        var head = 2
        if length == 126 {
            guard rest.count >= 4 else { return nil }
            length = Int(rest[start + 2]) << 8 | Int(rest[start + 3])
            head = 4
        }
        guard rest.count >= head + length else { return nil }
        defer { start += head + length }
        return (rest[start], rest[(start + head)..<(start + head + length)])
    }
}
