import Foundation

@testable import YonderModel

/// Checks that the protocol's reader and Foundation agree on what is JSON.
///
/// Where they may differ: Foundation also takes UTF-16 and UTF-32, which hold zeros, a comma before a closing
/// bracket, and deeper nesting; it refuses a number that no Double holds, which is a value out of range to the
/// protocol.
///
/// - Parameters:
///   - bytes: UTF-8.
///   - taken: Whether the protocol's reader took them for JSON.
/// - Throws: `BrokenPromise` where they do not.
func checkIsJSON(_ bytes: [UInt8], taken: Bool) throws(BrokenPromise) {
    let isJSON = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
    if taken, !isJSON {
        try check(holdsUnfitNumber(bytes), "what is taken for JSON is JSON to Foundation")
    }
    if isJSON, !taken {
        let form = BracketScan(bytes)
        try check(
            bytes.contains(0) || form.hasLooseComma || form.deepest > 64,
            "what is JSON to Foundation is taken for JSON")
    }
}

/// Whether some number in JSON is one that no Double holds.
func holdsUnfitNumber(_ bytes: [UInt8]) -> Bool {
    var reader = ByteReader(bytes)
    return ((try? reader.number(at: "") { !$0.isFinite }) ?? nil) != nil
}

/// The brackets of what Foundation takes for JSON.
private struct BracketScan {
    /// How many lists and objects stand in one another.
    private(set) var deepest = 0
    /// Whether a comma stands before a closing bracket.
    private(set) var hasLooseComma = false

    init(_ bytes: [UInt8]) {
        var depth = 0
        var (isText, isEscaped) = (false, false)
        var last: UInt8 = 0
        for byte in bytes where isText || byte > 0x20 {
            if isText {
                isText = byte != UInt8(ascii: "\"") || isEscaped
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                last = 0
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if last == UInt8(ascii: ",") { hasLooseComma = true }
            default: break
            }
            deepest = max(deepest, depth)
            last = byte
        }
    }
}
