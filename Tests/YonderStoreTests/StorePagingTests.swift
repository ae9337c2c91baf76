import Testing
import YonderModel
import YonderStore

/// The contract: a channel's messages, page by page.
@Suite struct StorePagingTests {
    /// One request of a page, and the messages that it gets.
    struct Page: Sendable, CustomTestStringConvertible {
        let limit: Int
        var before: String?
        var after: String?
        let expected: [String]

        var testDescription: String { "\(limit) before \(before ?? "-") after \(after ?? "-")" }
    }

    /// The channel holds m1...m5, m1 the oldest, mixed with another channel's.
    static let pages = [
        Page(limit: 2, expected: ["m4", "m5"]),
        Page(limit: 5, expected: ["m1", "m2", "m3", "m4", "m5"]),
        Page(limit: 100, expected: ["m1", "m2", "m3", "m4", "m5"]),
        Page(limit: 2, before: "m4", expected: ["m2", "m3"]),
        Page(limit: 2, before: "m2", expected: ["m1"]),
        Page(limit: 2, before: "m1", expected: []),
        Page(limit: 2, after: "m1", expected: ["m2", "m3"]),
        Page(limit: 2, after: "m4", expected: ["m5"]),
        Page(limit: 2, after: "m5", expected: []),
        Page(limit: 2, before: "m5", after: "m1", expected: ["m2", "m3"]),
        Page(limit: 9, before: "m4", after: "m2", expected: ["m3"]),
        Page(limit: 9, before: "m2", after: "m4", expected: []),
    ]

    private let folder = TemporaryFolder()

    private func filled(_ kind: StoreKind) async throws -> any Store {
        let store = try kind.open(folder.path)
        try await store.addSamples()
        try await store.commit { transaction in
            let other = Sample.channel("other")
            try transaction.insertChannel(other)
            // All in one millisecond, with ids against the order of arrival: only arrival counts.
            for index in 1...5 {
                try transaction.insertMessage(Sample.message("m\(index)"), fingerprint: [])
                try transaction.insertMessage(Sample.message("o\(9 - index)", in: other.cid), fingerprint: [])
            }
        }
        return store
    }

    @Test(arguments: StoreKind.all, pages)
    func `a page is what lies next to its cursor`(kind: StoreKind, page: Page) async throws {
        let store = try await filled(kind)
        let messages = try store.read { reader in
            try reader.messages(
                in: Sample.channel.cid, limit: page.limit, before: page.before.flatMap(MessageId.init),
                after: page.after.flatMap(MessageId.init))
        }
        #expect(messages.map(\.id.rawValue) == page.expected)
    }

    @Test(arguments: StoreKind.all, ["unknown", "o5"])
    func `a cursor of nowhere or of another channel is unknown`(kind: StoreKind, cursor: String) async throws
    {
        let store = try await filled(kind)
        let id = try #require(MessageId(cursor))
        for (before, after) in [(id, nil), (nil, id)] as [(MessageId?, MessageId?)] {
            let code = await storeErrorCode {
                _ = try store.read { reader in
                    try reader.messages(in: Sample.channel.cid, limit: 1, before: before, after: after)
                }
            }
            #expect(code == .unknownCursor)
        }
    }
}
