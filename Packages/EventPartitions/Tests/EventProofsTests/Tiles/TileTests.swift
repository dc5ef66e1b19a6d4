import EventModel
import EventProofs
import Testing

@Suite("Names of tiles")
struct TileTests {
    @Test(
        "a tile has the path that the specification gives it, and that path alone",
        arguments: [
            (Tile(level: 0, index: 1_234_067), "tile/0/x001/x234/067"),
            (Tile(level: 0, index: 0), "tile/0/000"),
            (Tile(level: 0, index: 273, width: 112), "tile/0/273.p/112"),
            (Tile(level: 2, index: 0, width: 1), "tile/2/000.p/1"),
            (Tile(level: 63, index: 1000), "tile/63/x001/000"),
            (Tile(level: 1, index: .max), "tile/1/x018/x446/x744/x073/x709/x551/615"),
            (Tile.entries(index: 0, width: 5), "tile/entries/000.p/5"),
            (Tile.entries(index: 1_234_067, width: 255), "tile/entries/x001/x234/067.p/255"),
        ]
    )
    func paths(tile: Tile, path: String) {
        #expect(tile.path == path)
        #expect(Tile(path: path) == tile)
    }

    @Test(
        "no other path is taken for a tile",
        arguments: [
            "", "tile", "tile/0", "tile/0/", "/tile/0/000", "tile/00/000", "tile/64/000", "tile/-1/000", "tile/0/0",
            "tile/0/0000",
            "tile/0/x000/001", "tile/0/001/002", "tile/0/x001/x002", "tile/0/x001", "tile/0/000.p/0",
            "tile/0/000.p/256", "tile/0/000.p/05",
            "tile/0/000.p", "tile/0/000.p/", "tile/0/000/5", "tile/0/000.p/5/", "tile/entry/000", "tile/0/..",
            "tile/0/xx01/002", "tile/0/+01",
            "tile/0/x018/x446/x744/x073/x709/x551/616", "tile/0/٠٠٠", "checkpoint", "tile/0/000.q/5",
            "tile/0/x1000/000",
        ]
    )
    func otherPaths(path: String) {
        #expect(Tile(path: path) == nil)
    }

    @Test("a tree of 70,000 entries has the files that the specification counts")
    func specification() {
        let tiles = Array(Tile.growth(from: 0, to: 70_000))
        func count(_ level: Int) -> [Int] {
            let own = tiles.filter { $0.content == .hashes(level: level) }
            return [own.filter(\.isFull).count, own.count] + own.filter { !$0.isFull }.map(\.width)
        }

        #expect(count(0) == [273, 274, 112])
        #expect(count(1) == [1, 2, 17])
        #expect(count(2) == [0, 1, 1])
        #expect(tiles.filter { $0.content == .entries }.count == 274)
        #expect(tiles.count == 274 + 274 + 2 + 1)
        #expect(Tile.partials(of: 256) == [Tile(level: 1, index: 0, width: 1)])
        #expect(Tile.partials(of: 0).isEmpty)
        #expect(Tile.partials(of: UInt64(Int64.max)).count == 9)
    }

    @Test("what a tree needs when it grows is what is new, and nothing twice")
    func growth() {
        for old in stride(from: UInt64(0), through: 1200, by: 73) {
            for new in stride(from: old, through: 1400, by: 91) {
                let before = Set(Tile.growth(from: 0, to: old))
                let grown = Array(Tile.growth(from: old, to: new))
                let all = Set(Tile.growth(from: 0, to: new))

                #expect(Set(grown).count == grown.count)
                #expect(before.isDisjoint(with: grown))
                #expect(all == before.filter(\.isFull).union(grown).union(before.intersection(Tile.partials(of: new))))
            }
        }
        #expect(Array(Tile.growth(from: 5, to: 5)).isEmpty)
    }

    @Test("a name that no file can have, and a tree that shrinks, are the programmer's mistakes")
    func misuse() async {
        await #expect(processExitsWith: .failure) { _ = Tile(level: 64, index: 0) }
        await #expect(processExitsWith: .failure) { _ = Tile(level: 0, index: 0, width: 257) }
        await #expect(processExitsWith: .failure) { _ = Tile.growth(from: 2, to: 1) }
    }
}
