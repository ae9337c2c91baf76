import Foundation

/// Code that stands in a document and, word for word, in a file that is compiled with these tests.
///
/// In a document it is a `swift` block; the imports that it begins with stand apart. In a compiled file it is
/// what stands between the lines `// begin` and `// end`, without their indentation.
struct DocumentedCode: Hashable, CustomStringConvertible {
    var imports: [String] = []
    var lines: [String]

    var description: String { lines.joined(separator: "\n") }

    /// The repository.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized

    /// The blocks of a document, in their order.
    static func blocks(of document: URL) throws -> [DocumentedCode] {
        try parts(of: lines(of: document), after: "```swift", before: "```").map { block in
            let imports = Array(block.prefix { $0.hasPrefix("import ") })
            let lines = imports.isEmpty ? block : Array(block.dropFirst(imports.count + 1))
            return DocumentedCode(imports: imports, lines: lines)
        }
    }

    /// What a compiled file holds, in its order.
    static func compiled(in source: URL) throws -> [DocumentedCode] {
        let lines = try lines(of: source)
        let imports = lines.filter { $0.hasPrefix("import ") }
        return parts(of: lines, after: "// begin", before: "// end").map { part in
            let indentation = part.first?.prefix { $0 == " " }.count ?? 0
            return DocumentedCode(imports: imports, lines: part.map { String($0.dropFirst(indentation)) })
        }
    }

    private static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The lines between one that is, but for its indentation, `first` and the next one that is `last`, each time.
    private static func parts(of lines: [String], after first: String, before last: String) -> [[String]] {
        var parts: [[String]] = []
        var rest = lines[...]
        while let start = rest.firstIndex(where: { $0.drop { $0 == " " } == first }) {
            let part = rest[(start + 1)...].prefix { $0.drop { $0 == " " } != last }
            parts.append(Array(part))
            rest = rest[part.endIndex...].dropFirst()
        }
        return parts
    }
}
