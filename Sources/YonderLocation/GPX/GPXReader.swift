public import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reads GPX 1.0 and 1.1, with or without its namespace.
///
/// What is wrong with single points is skipped and listed; a file that is no whole GPX is an error.
/// No other file and no address is ever opened.
public enum GPXReader: Sendable {
    /// Largest file that is read, in bytes: 64 MiB.
    public static let maxBytes = 64 * 1024 * 1024

    /// Reads a file.
    ///
    /// - Throws: `LocationError` with code `.fileUnreadable`, `.fileTooLarge` or `.malformedTrack`.
    public static func read(contentsOf url: URL) throws(LocationError) -> GPXDocument {
        try read(data(of: url))
    }

    static let tooLarge = LocationError(.fileTooLarge, "the file is larger than 64 MiB")

    /// A file's bytes, at most one more than are read.
    static func data(of url: URL) throws(LocationError) -> Data {
        do {
            let file = try FileHandle(forReadingFrom: url)
            return try file.read(upToCount: maxBytes + 1) ?? Data()
        } catch {
            let reason = (error as NSError).code == CocoaError.fileReadNoSuchFile.rawValue
            throw LocationError(
                .fileUnreadable, reason ? "there is no such file" : "the file cannot be read")
        }
    }

    /// Reads a file's bytes: UTF-8 or another superset of ASCII that the file declares.
    ///
    /// - Throws: `LocationError` with code `.fileTooLarge` or `.malformedTrack`.
    public static func read(_ data: Data) throws(LocationError) -> GPXDocument {
        guard data.count <= maxBytes else { throw tooLarge }
        if let problem = GPXGuard.problem(in: data) { throw problem }
        let scan = GPXScan()
        let parser = XMLParser(data: data)
        parser.shouldResolveExternalEntities = false
        parser.delegate = scan
        // The result is no use: it is true for a file that breaks off.
        _ = parser.parse()
        return try scan.finish(line: parser.lineNumber, column: parser.columnNumber)
    }
}
