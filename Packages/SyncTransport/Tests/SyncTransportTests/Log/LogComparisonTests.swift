import EventModel
import EventModelTesting
import EventProofs
import SyncTransport
import Testing

@Suite("A log's newest checkpoint against the kept one")
struct LogComparisonTests {
    /// Judges what a server publishes, and says how many tiles that took.
    private func judge(
        _ kept: SampleLog.Published?,
        _ newest: SampleLog.Published,
        from files: [Tile: [UInt8]]? = nil
    ) -> (verdict: LogComparison.Verdict, tiles: Int) {
        var comparison = LogComparison(kept: kept?.signed, newest: newest.signed)
        while true {
            switch comparison.next() {
            case .fetch(let tiles):
                for tile in tiles { comparison.didFetch((files ?? newest.files)[tile], of: tile) }
            case .judge(let verdict):
                return (verdict, comparison.tileCount)
            }
        }
    }

    @Test("the first checkpoint is trusted without a tile, and the same one again needs none")
    func first() throws {
        let published = try SampleLog(size: 7).published()

        #expect(judge(nil, published) == (.first, 0))
        #expect(judge(published, published) == (.unchanged, 0))
    }

    @Test("a log that grew between any two sizes is recognised, and the older copy of it is one that is behind")
    func growth() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var dice = SeededGenerator(seed: seed)
        let log = try SampleLog(size: 1_400)
        let sizes = [0, 1, 255, 256, 257, 512, 1_400] + (0..<12).map { _ in dice.below(1_400) }
        let published = try sizes.map { try log.published($0) }

        for (older, old) in zip(sizes, published) {
            for (newer, new) in zip(sizes, published) where older < newer {
                let there = judge(old, new)
                #expect(there.verdict == .grown, "from \(older) to \(newer), seed \(seed)")
                #expect(there.tiles <= 6, "from \(older) to \(newer)")
                #expect(judge(new, old, from: new.files).verdict == .behind, "\(newer), then \(older), seed \(seed)")
            }
        }
    }

    @Test("a log of many thousands of entries asks for a handful of tiles")
    func largeLog() throws {
        let log = try SampleLog(size: 66_000)

        let (verdict, tiles) = judge(try log.published(65_537), try log.published())

        #expect(verdict == .grown)
        #expect(tiles <= 6)
    }

    @Test(
        "an entry that was changed before the kept checkpoint is a contradiction, whichever it is, and the file proves it"
    )
    func rewritten() throws {
        let log = try SampleLog(size: 300)
        let kept = try log.published(261)
        for index in Array(0..<8) + [128, 200, 254, 255, 256, 259, 260] {
            var liar = log
            liar.entries[index] = [0xFF]

            let verdict = judge(kept, try liar.published()).verdict

            guard case .contradicted(let contradiction) = verdict else {
                Issue.record("entry \(index): \(verdict)")
                continue
            }
            let read = try LogContradiction(contradiction.bytes())
            #expect(read == contradiction)
            try read.verify(by: log.policy, serverKeys: [])
        }
    }

    @Test("an entry that was changed behind the kept checkpoint is none: nothing was promised of it")
    func behindKept() throws {
        let log = try SampleLog(size: 300)
        var other = log
        other.entries[261] = [0xFF]

        #expect(judge(try log.published(261), try other.published()).verdict == .grown)
    }

    @Test(
        "entries that were removed, put in between or exchanged are a contradiction",
        arguments: [1, 3, 255, 256, 257]
    )
    func moved(size: Int) throws {
        let log = try SampleLog(size: 600)
        let kept = try log.published(size)
        var (shorter, longer, turned) = (log, log, log)
        shorter.entries.remove(at: 0)
        longer.entries.insert([0xFF], at: size - 1)
        turned.entries.swapAt(0, 300)

        for liar in [shorter, longer, turned] {
            let verdict = judge(kept, try liar.published()).verdict
            guard case .contradicted(let contradiction) = verdict else {
                Issue.record("\(verdict)")
                continue
            }
            try contradiction.verify(by: log.policy, serverKeys: [])
        }
    }

    @Test("two roots of one size are a contradiction that needs no tile")
    func sameSize() throws {
        let log = try SampleLog(size: 9)
        var liar = log
        liar.entries[8] = []

        let (verdict, tiles) = judge(try log.published(), try liar.published())

        guard case .contradicted(let contradiction) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(tiles == 0)
        try LogContradiction(contradiction.bytes()).verify(by: log.policy, serverKeys: [])
    }

    @Test("a smaller log of other entries is a contradiction as soon as the tiles of the larger one are there")
    func smallerFork() throws {
        let log = try SampleLog(size: 300)
        let kept = try log.published()
        var liar = log
        liar.entries[3] = []

        let verdict = judge(kept, try liar.published(200), from: kept.files).verdict

        guard case .contradicted(let contradiction) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        try contradiction.verify(by: log.policy, serverKeys: [])
    }

    @Test("a log that is shorter than it was, and has no tiles of what it was, proves nothing")
    func rolledBack() throws {
        let log = try SampleLog(size: 300)

        #expect(
            judge(try log.published(), try log.published(280)).verdict
                == .unproven(.missingTile(path: "tile/0/001.p/44"))
        )
    }

    @Test("tiles that are cut off, too long, altered or missing prove nothing, and are no contradiction")
    func badTiles() throws {
        let log = try SampleLog(size: 600)
        let (kept, newest) = (try log.published(300), try log.published())
        for (tile, bytes) in newest.files where tile.content != .entries {
            for bad in [Array(bytes.dropLast()), bytes + [0], bytes.map { ~$0 }, nil] {
                var files = newest.files
                files[tile] = bad

                switch judge(kept, newest, from: files).verdict {
                case .unproven: break
                case .grown where tile == Tile(level: 0, index: 0): break
                case let verdict: Issue.record("\(tile.path): \(verdict)")
                }
            }
        }
    }

    @Test("a full tile takes the place of a partial one that the server has let go")
    func fullTile() throws {
        let log = try SampleLog(size: 600)
        let (kept, newest) = (try log.published(200), try log.published(300))
        var files = newest.files
        files[Tile(level: 0, index: 1, width: 44)] = nil
        files[Tile(level: 0, index: 1)] = try log.published().files[Tile(level: 0, index: 1)]

        #expect(judge(kept, newest, from: files).verdict == .grown)
    }
}
