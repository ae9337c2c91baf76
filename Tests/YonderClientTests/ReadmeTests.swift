import Foundation
import Testing

struct ReadmeTests {
    private static let here = URL(filePath: #filePath).deletingLastPathComponent()

    private static func lines(_ path: String) throws -> [Substring] {
        try String(contentsOf: here.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The lines between two others.
    private static func lines(of lines: [Substring], after first: String, before last: String) -> [Substring]
    {
        let rest = lines.drop { !$0.hasSuffix(first) }.dropFirst()
        return Array(rest.prefix { !$0.hasSuffix(last) })
    }

    @Test func `the README's example is the one that compiles here`() throws {
        let readme = Self.lines(of: try Self.lines("../../README.md"), after: "```swift", before: "```")
        let compiled = try Self.lines("ReadmeExample.swift")
        let imports = readme.prefix { !$0.isEmpty }
        #expect(imports.contains("import YonderClient"))
        #expect(imports.allSatisfy { compiled.contains($0) })
        let body = Self.lines(of: compiled, after: "// begin", before: "// end").map { $0.dropFirst(4) }
        #expect(Array(readme.dropFirst(imports.count + 1)) == body)
    }
}
