import Foundation

/// The maps of a folder: every `*.pmtiles` in it, by file name without the suffix.
///
/// Opened once; files that appear later are not seen. Safe to use from several threads at once.
public struct MapLibrary: Sendable {
    /// A map and the name it goes by in URLs.
    public struct Entry: Sendable {
        /// Letters, digits, `-`, `_`; 1 to 64 of them.
        public let name: String
        public let archive: PMTilesArchive
    }

    /// All maps, sorted by name.
    public let entries: [Entry]

    /// Opens every map of a folder.
    ///
    /// Files whose names would not fit a URL as they are, are passed over.
    ///
    /// - Parameter directory: A folder; one without maps gives an empty library.
    /// - Throws: `MapError` with code `.unreadable` if the folder cannot be listed; as
    ///   `PMTilesArchive.init(path:)` if one of its maps cannot be opened.
    public init(directory: String) throws(MapError) {
        guard let files = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
            throw MapError(.unreadable, "cannot list the folder of maps")
        }
        var entries: [Entry] = []
        for file in files.sorted() where file.hasSuffix(".pmtiles") {
            let name = String(file.dropLast(".pmtiles".count))
            guard Self.isName(name) else { continue }
            entries.append(Entry(name: name, archive: try PMTilesArchive(path: "\(directory)/\(file)")))
        }
        self.entries = entries
    }

    /// A map by name; `nil` if there is none.
    public subscript(name: String) -> PMTilesArchive? {
        entries.first { $0.name == name }?.archive
    }

    private static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
