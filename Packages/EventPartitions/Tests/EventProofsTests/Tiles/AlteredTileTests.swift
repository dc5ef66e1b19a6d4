import EventModel
import EventModelTesting
import EventProofs
import Testing

@Suite("Tiles that were tampered with")
struct AlteredTileTests {
    /// A log with a full tile, partial ones of two levels, and its bundles.
    private func sample() throws -> (storage: InMemoryTiles, checkpoint: Checkpoint) {
        var log = try LogSample(InMemoryTiles())
        try log.grow(to: 300)
        let checkpoint = try log.publish()
        return (log.storage, checkpoint)
    }

    /// Reads all of a log in which a file is another one.
    private func failure(_ storage: InMemoryTiles, _ checkpoint: Checkpoint, _ change: [Tile: [UInt8]?]) -> ProofError?
    {
        let changed = InMemoryTiles()
        var files = storage.files
        for (tile, bytes) in change { files[tile] = bytes }
        changed.files = files
        do {
            var reader = try TileReader(changed, checkpoint: checkpoint)
            try reader.verify()
            return nil
        } catch {
            return error as? ProofError
        }
    }

    private func names(_ error: ProofError?, _ tile: Tile) -> Bool {
        guard let error else { return false }
        return error.description.split { " ,".contains($0) }.contains { $0 == tile.path }
    }

    @Test("each change of a byte of each file is found, and the file is named")
    func everyByte() throws {
        let (storage, checkpoint) = try sample()
        #expect(storage.files.count == 5)
        #expect(failure(storage, checkpoint, [:]) == nil)
        for (tile, bytes) in storage.files {
            // A full tile has many bytes of one kind, and each look at it is 256 hashes.
            for place in stride(from: 0, to: bytes.count, by: tile.isFull ? 11 : 1) {
                var changed = bytes
                changed[place] ^= 1 << UInt8(place % 8)

                let error = failure(storage, checkpoint, [tile: changed])

                #expect(names(error, tile), "byte \(place) of \(tile.path): \(String(describing: error))")
            }
        }
    }

    @Test("a file that is cut off, longer, missing, or another one is found, and is named")
    func files() throws {
        let (storage, checkpoint) = try sample()
        let files = storage.files
        for (tile, bytes) in files {
            for other in files.values.filter({ $0 != bytes }) + [
                [], Array(bytes.dropLast()), bytes + [0], bytes + bytes, Array(bytes.reversed()),
                bytes + [UInt8](repeating: 0, count: 70_000),
            ] {
                let error = failure(storage, checkpoint, [tile: other])
                #expect(names(error, tile), "\(tile.path): \(String(describing: error))")
            }
            let missing = failure(storage, checkpoint, [tile: nil])
            #expect(missing == .missingTile(path: tile.path))
        }
    }

    @Test("the beginning of a full tile stands for a partial one that was deleted")
    func fallback() throws {
        var log = try LogSample(InMemoryTiles())
        try log.grow(to: 300)
        let checkpoint = try log.publish()
        try log.grow(to: 600)
        let partials = Tile.partials(of: 300).filter { $0.content == .entries || $0.content == .hashes(level: 0) }
        log.storage.files = log.storage.files.filter { !partials.contains($0.key) }
        var reader = try TileReader(log.storage, checkpoint: checkpoint)

        try reader.verify()
        #expect(try reader.entry(at: 299) == LogSample<InMemoryTiles>.entry(299))
    }

    @Test("hashes that fit entries which fit nothing else are found")
    func consistentForgery() throws {
        let (storage, checkpoint) = try sample()
        var forger = TileBuilder()
        var forged: [Tile: [UInt8]?] = [:]
        for index in 0..<256 {
            for file in try forger.append(index == 7 ? [1, 2, 3] : LogSample<InMemoryTiles>.entry(index)) {
                forged[file.tile] = file.bytes
            }
        }

        #expect(failure(storage, checkpoint, forged) == .alteredTile(path: "tile/0/000"))
        forged[Tile(level: 0, index: 0)] = nil
        #expect(failure(storage, checkpoint, forged) == .alteredTile(path: "tile/entries/000"))
    }

    @Test("nothing traps on noise in place of files")
    func noise() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let (storage, checkpoint) = try sample()
        for _ in 0..<200 {
            let noise = (0..<(random.next() % 9_000)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            for tile in storage.files.keys {
                #expect(failure(storage, checkpoint, [tile: noise]) != nil, "seed \(seed)")
            }
        }
    }
}
