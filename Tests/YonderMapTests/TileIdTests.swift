import Testing
import YonderMap

@Suite struct TileIdTests {
    @Test(arguments: [
        (0, 0, 0, UInt64(0)), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
    ])
    func `tiles stand along the curve`(z: Int, x: Int, y: Int, id: UInt64) {
        #expect(TileId.id(z: z, x: x, y: y) == id)
    }

    @Test func `every tile of zooms 0 to 6 has an id of its own and none is left over`() {
        var seen = Set<UInt64>()
        for z in 0...6 {
            for x in 0..<(1 << z) {
                for y in 0..<(1 << z) {
                    if let id = TileId.id(z: z, x: x, y: y) { seen.insert(id) }
                }
            }
        }
        #expect(seen == Set(0..<5461))
    }

    @Test func `tiles next to each other on the curve touch on the map`() {
        var places: [UInt64: (Int, Int)] = [:]
        for x in 0..<32 {
            for y in 0..<32 { places[TileId.id(z: 5, x: x, y: y) ?? 0] = (x, y) }
        }
        let walk = places.sorted { $0.key < $1.key }.map(\.value)
        #expect(walk.count == 1024)
        for (here, next) in zip(walk, walk.dropFirst()) {
            #expect(abs(here.0 - next.0) + abs(here.1 - next.1) == 1)
        }
    }

    @Test(arguments: [(-1, 0, 0), (32, 0, 0), (1, 2, 0), (1, 0, 2), (3, -1, 0), (3, 0, -1), (0, 0, Int.max)])
    func `a tile that does not exist has no id`(z: Int, x: Int, y: Int) {
        #expect(TileId.id(z: z, x: x, y: y) == nil)
    }

    @Test func `the last zoom fits`() {
        let corner = (1 << 31) - 1
        #expect(TileId.id(z: 31, x: corner, y: 0) == ((UInt64(1) << 62) - 1) / 3 + (UInt64(1) << 62) - 1)
    }
}
