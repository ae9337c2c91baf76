import Foundation

/// What is refused before the XML parser sees it.
///
/// GPX needs no declarations of its own: with entities a few bytes can stand for gigabytes, and Foundation's
/// parser does not survive the others, nor an instruction without content.
enum GPXGuard {
    private static let refused = ["<!ENTITY", "<!ATTLIST", "<!NOTATION"]

    /// Beginnings of the names of encodings in which ASCII is ASCII: in another one, what is refused could stand
    /// in other bytes.
    private static let encodings = [
        "utf-8", "utf8", "us-ascii", "ascii", "iso-8859-", "latin", "windows-125", "cp125", "koi8-", "gb",
        "big5", "shift_jis", "euc-",
    ]

    /// Looks at a whole file.
    ///
    /// - Parameter data: Its bytes.
    /// - Returns: Why it is refused; `nil` = it is not.
    static func problem(in data: Data) -> LocationError? {
        guard !data.isEmpty else {
            return LocationError(.malformedTrack, "the file is empty", line: 1, column: 1)
        }
        guard !data.contains(0), hasKnownEncoding(data) else {
            return LocationError(.malformedTrack, "the file is not UTF-8 text", line: 1, column: 1)
        }
        if let place = refused.lazy.compactMap({ data.range(of: Data($0.utf8)) }).first {
            return error("declarations are not read", at: place, in: data)
        }
        if let place = emptyInstruction(in: data) {
            return error("instructions without content are not read", at: place, in: data)
        }
        return nil
    }

    private static func error(
        _ message: String, at place: Range<Data.Index>, in data: Data
    ) -> LocationError {
        let line = data[..<place.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
        return LocationError(.malformedTrack, message, line: line)
    }

    private static func hasKnownEncoding(_ data: Data) -> Bool {
        guard data.first != 0x4C else { return false }  // "<" in EBCDIC, which needs no declaration
        let end = data.range(of: Data("?>".utf8))?.lowerBound ?? data.endIndex
        let start = String(decoding: data[..<end].prefix(1_000), as: UTF8.self)
        let named = start.matches(of: /encoding\s*=\s*["']([^"']*)/).map { $0.1.lowercased() }
        return named.allSatisfy { name in encodings.contains { name.hasPrefix($0) } }
    }

    /// The first `<?name?>`: nothing stands after the name, not even a blank.
    private static func emptyInstruction(in data: Data) -> Range<Data.Index>? {
        var rest = data[...]
        while let start = rest.range(of: Data("<?".utf8)) {
            rest = data[start.upperBound...]
            let name = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "?") }
            if data[name.endIndex...].starts(with: "?>".utf8) { return start }
        }
        return nil
    }
}
