import CZlib

/// Inflates gzip data with a bound on what comes out.
package enum Gzip {
    private static let chunkBytes = 64 * 1024

    /// Inflates one gzip member.
    ///
    /// Memory is bounded by `maxBytes`, however well the input was compressed.
    ///
    /// - Parameters:
    ///   - bytes: A whole gzip stream.
    ///   - maxBytes: Longest output that is accepted, >= 0.
    /// - Returns: The plain bytes.
    /// - Throws: `MapError` with code `.malformed` if the stream is broken or cut short, `.tooLarge`
    ///   if it holds more than `maxBytes`.
    package static func inflate(_ bytes: [UInt8], maxBytes: Int) throws(MapError) -> [UInt8] {
        var stream = z_stream()
        // 16 + MAX_WBITS: gzip wrapper only, largest window (zlib.h, inflateInit2).
        let status = inflateInit2_(
            &stream, 16 + MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib refuses to start: its header and library differ")
        defer { inflateEnd(&stream) }
        guard let inputCount = UInt32(exactly: bytes.count) else {
            throw MapError(.tooLarge, "compressed data is too long")
        }
        // zlib reads through next_in and never writes there; it lacks the const (zlib.h, ZLIB_CONST).
        var input = bytes
        return try input.withUnsafeMutableBufferPointer { buffer throws(MapError) in
            stream.next_in = buffer.baseAddress
            stream.avail_in = inputCount
            return try drain(&stream, maxBytes: maxBytes)
        }
    }

    private static func drain(_ stream: inout z_stream, maxBytes: Int) throws(MapError) -> [UInt8] {
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: chunkBytes)
        while true {
            let status = chunk.withUnsafeMutableBufferPointer { buffer in
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                return CZlib.inflate(&stream, Z_NO_FLUSH)
            }
            guard status == Z_OK || status == Z_STREAM_END else {
                throw MapError(.malformed, "compressed data is broken or cut short")
            }
            let produced = chunkBytes - Int(stream.avail_out)
            guard produced <= maxBytes - output.count else {
                throw MapError(.tooLarge, "compressed data holds more than \(maxBytes) bytes")
            }
            output += chunk[..<produced]
            if status == Z_STREAM_END { return output }
        }
    }
}
