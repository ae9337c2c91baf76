import Testing
import YonderModel
import YonderStore
import YonderTestSupport

/// The contract: whatever was committed, and only that, is there, also after a restart.
@Suite struct StoreModelTests {
    private struct Undo: Error {}

    private let folder = TemporaryFolder()

    @Test(arguments: StoreKind.all, [1, 2, 3] as [UInt64])
    func `what was committed is there after close and reopen`(kind: StoreKind, seed: UInt64) async throws {
        var store = try kind.open(folder.path)
        var model = ModelStore()
        var random = SplitMix(seed: seed)
        for round in 0..<200 {
            let before = (model, random)
            let now = Sample.time(Int64(round))
            do {
                (model, random) = try await store.commit { transaction in
                    var (model, random) = before
                    for _ in 0..<Int.random(in: 1...5, using: &random) {
                        try model.change(transaction, at: now, using: &random)
                    }
                    if Int.random(in: 0..<4, using: &random) == 0 { throw Undo() }
                    return (model, random)
                }
            } catch is Undo {
                random = SplitMix(seed: before.1.state ^ UInt64(round + 1))
            }
            if round % 50 == 49 {
                try store.read(model.check)
                await store.close()
                store = try kind.open(folder.path)
                try store.read(model.check)
            }
        }
        #expect(model.messages.count > 50)
    }
}
