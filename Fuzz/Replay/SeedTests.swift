import Foundation
import Testing

/// The seeds of the fuzzer are inputs like any other: found once, they stay good.
struct SeedTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Seeds")

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
    }

    @Test(.timeLimit(.minutes(1)), arguments: FuzzTarget.allCases)
    func `every seed of a target keeps its promises`(target: FuzzTarget) throws {
        let folder = Self.folder.appending(path: target.rawValue)
        let names = try Self.names(in: folder)
        #expect(!names.isEmpty, "a target without seeds")
        for name in names {
            let seed = try Data(contentsOf: folder.appending(path: name))
            #expect(throws: Never.self, "\(target)/\(name)") { try target.run(Array(seed)) }
        }
    }

    @Test func `every folder of seeds has its target`() throws {
        #expect(try Self.names(in: Self.folder) == FuzzTarget.allCases.map(\.rawValue).sorted())
    }
}
