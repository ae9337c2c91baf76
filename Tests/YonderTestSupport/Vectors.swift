import Foundation
import Testing

/// The computed numbers that every implementation has to agree on: `vectors.json`, in the folder above
/// `YONDER_TEST_DATA`, or in `shared` beside the package.
package enum Vectors {
    private static let file: URL =
        (ProcessInfo.processInfo.environment["YONDER_TEST_DATA"]
        .map { URL(filePath: $0, directoryHint: .isDirectory).appending(path: "..") }
        ?? URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared"))
        .appending(path: "vectors.json").standardizedFileURL

    /// A part of it, decoded; `nil` where the file is missing, which is said.
    package static func part<Part: Decodable>(_ name: String, as type: Part.Type) throws -> Part? {
        guard let data = FileManager.default.contents(atPath: file.path()) else {
            if ProcessInfo.processInfo.environment["CI"] == "true" {
                Issue.record("vectors.json is missing; set YONDER_TEST_DATA")
            }
            print("skipped: vectors.json is missing")
            return nil
        }
        let table = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let part = try #require(table?[name], "vectors.json has no \(name)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: JSONSerialization.data(withJSONObject: part))
    }

    /// Whether a number is the wanted one: |got - want| ≤ tolerance · max(1, |want|).
    package static func isClose(_ got: Double, _ want: Double, tolerance: Double = 1e-9) -> Bool {
        abs(got - want) <= tolerance * max(1, abs(want))
    }
}
