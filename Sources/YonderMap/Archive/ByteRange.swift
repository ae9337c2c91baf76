/// A stretch of a file; its end fits 64 bits.
struct ByteRange: Hashable {
    let offset: UInt64
    let length: UInt64

    /// A stretch inside this one.
    ///
    /// - Throws: `MapError` with code `.malformed` if it reaches beyond this one's end.
    func part(offset: UInt64, length: UInt64) throws(MapError) -> ByteRange {
        guard offset <= self.length, length <= self.length - offset else {
            throw MapError(.malformed, "a section reaches beyond the end")
        }
        return ByteRange(offset: self.offset + offset, length: length)
    }
}
