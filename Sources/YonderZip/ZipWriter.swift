import CZip
import Foundation

/// Why an archive could not be made.
package struct ZipError: Error, Sendable, CustomStringConvertible {
    /// One sentence for the log.
    package let description: String
}

/// Makes a ZIP archive in memory, through libzip.
package struct ZipWriter: Sendable {
    private var files: [(name: String, bytes: [UInt8])] = []

    package init() {}

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: Its path in the archive, with `/` between folders; no other file's.
    ///   - bytes: What it holds.
    package mutating func add(_ name: String, _ bytes: [UInt8]) { files.append((name, bytes)) }

    /// The archive's bytes.
    ///
    /// - Throws: `ZipError`.
    package func bytes() throws(ZipError) -> [UInt8] {
        var problem = zip_error_t()
        guard let target = zip_source_buffer_create(nil, 0, 0, &problem) else {
            throw Self.failure(&problem)
        }
        defer { zip_source_free(target) }
        guard let archive = zip_open_from_source(target, ZIP_TRUNCATE, &problem) else {
            throw Self.failure(&problem)
        }
        // The archive frees what it was given; this keeps the bytes that it writes to.
        zip_source_keep(target)
        do throws(ZipError) {
            for file in files { try Self.add(file.name, file.bytes, to: archive) }
            guard zip_close(archive) == 0 else { throw Self.failure(zip_get_error(archive)) }
        } catch {
            zip_discard(archive)
            throw error
        }
        return try Self.contents(of: target)
    }

    private static func add(
        _ name: String, _ bytes: [UInt8], to archive: OpaquePointer
    ) throws(ZipError) {
        // libzip reads them when the archive is closed, and frees them then.
        guard let copy = malloc(max(1, bytes.count)) else {
            throw ZipError(description: "no archive: the memory is used up")
        }
        bytes.withUnsafeBytes { source in
            if let start = source.baseAddress { copy.copyMemory(from: start, byteCount: source.count) }
        }
        guard let source = zip_source_buffer(archive, copy, zip_uint64_t(bytes.count), 1) else {
            free(copy)
            throw failure(zip_get_error(archive))
        }
        let index = zip_file_add(archive, name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            zip_source_free(source)
            throw failure(zip_get_error(archive))
        }
        // Whoever unpacks it gets files that nobody else reads.
        let mode = zip_uint32_t(S_IFREG | S_IRUSR | S_IWUSR) << 16
        zip_file_set_external_attributes(
            archive, zip_uint64_t(index), 0, zip_uint8_t(ZIP_OPSYS_UNIX), mode)
    }

    private static func contents(of source: OpaquePointer) throws(ZipError) -> [UInt8] {
        guard zip_source_open(source) == 0 else { throw failure(zip_source_error(source)) }
        defer { zip_source_close(source) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = zip_source_read(source, &chunk, zip_uint64_t(chunk.count))
            guard count >= 0 else { throw failure(zip_source_error(source)) }
            if count == 0 { return bytes }
            bytes += chunk[..<Int(count)]
        }
    }

    private static func failure(_ error: UnsafeMutablePointer<zip_error_t>?) -> ZipError {
        ZipError(description: "no archive: \(error.map { String(cString: zip_error_strerror($0)) } ?? "")")
    }
}
