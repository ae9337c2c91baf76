import Foundation
import Testing

struct ReadmeTests {
    @Test func `the README's example is the one that compiles here`() throws {
        let readme = try DocumentedCode.blocks(of: DocumentedCode.root.appending(path: "README.md"))
        let compiled = try DocumentedCode.compiled(
            in: DocumentedCode.root.appending(path: "Tests/YonderClientTests/ReadmeExample.swift"))
        #expect(readme.map(\.lines) == compiled.map(\.lines))
        #expect(readme.first?.imports.contains("import YonderClient") == true)
        for (block, twin) in zip(readme, compiled) {
            #expect(Set(block.imports).isSubset(of: twin.imports))
        }
    }
}
