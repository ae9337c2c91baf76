/// One directory of a PMTiles archive: which tiles, or which further directories, lie where.
struct TileDirectory {
    struct Entry {
        var firstId: UInt64
        /// How many tiles in a row share these bytes; 0 for a leaf directory.
        var runLength: UInt64
        var length: UInt64
        var offset: UInt64
    }

    enum Match {
        /// Relative to the tile section.
        case tile(offset: UInt64, length: UInt64)
        /// Relative to the leaf section.
        case leaf(offset: UInt64, length: UInt64)
        case absent
    }

    let entries: [Entry]

    /// Decodes the four columns of a directory.
    ///
    /// - Throws: `MapError` with code `.malformed` if ids do not ascend or data ends early.
    init(_ bytes: [UInt8]) throws(MapError) {
        var reader = ByteReader(bytes)
        let count = try reader.varint()
        // Every entry takes four numbers of a byte or more, so a lie about the count costs no memory.
        guard count <= UInt64(reader.remaining / 4) else {
            throw MapError(.malformed, "a directory is shorter than its count of entries")
        }
        var entries = [Entry](
            repeating: Entry(firstId: 0, runLength: 0, length: 0, offset: 0), count: Int(count))
        try Self.readIds(&reader, into: &entries)
        for index in entries.indices {
            entries[index].runLength = try reader.varint()
        }
        for index in entries.indices {
            entries[index].length = try reader.varint()
            guard entries[index].length > 0 else { throw MapError(.malformed, "an entry is empty") }
        }
        try Self.readOffsets(&reader, into: &entries)
        guard reader.remaining == 0 else { throw MapError(.malformed, "a directory has bytes left over") }
        self.entries = entries
    }

    private static func readIds(
        _ reader: inout ByteReader, into entries: inout [Entry]
    ) throws(MapError) {
        var id: UInt64 = 0
        for index in entries.indices {
            let step = try reader.varint()
            let (next, overflow) = id.addingReportingOverflow(step)
            guard !overflow, index == 0 || step > 0 else {
                throw MapError(.malformed, "tile ids do not ascend")
            }
            id = next
            entries[index].firstId = id
        }
    }

    private static func readOffsets(
        _ reader: inout ByteReader, into entries: inout [Entry]
    ) throws(MapError) {
        for index in entries.indices {
            let value = try reader.varint()
            if value > 0 {
                entries[index].offset = value - 1
                continue
            }
            // 0 stands for "right after the entry before".
            guard index > 0 else { throw MapError(.malformed, "the first entry follows nothing") }
            let before = entries[index - 1]
            let (offset, overflow) = before.offset.addingReportingOverflow(before.length)
            guard !overflow else { throw MapError(.malformed, "an offset is out of range") }
            entries[index].offset = offset
        }
    }

    /// What this directory knows about a tile; O(log n).
    func match(_ id: UInt64) -> Match {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].firstId <= id { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return .absent }
        let entry = entries[low - 1]
        if entry.runLength == 0 { return .leaf(offset: entry.offset, length: entry.length) }
        guard id - entry.firstId < entry.runLength else { return .absent }
        return .tile(offset: entry.offset, length: entry.length)
    }
}
