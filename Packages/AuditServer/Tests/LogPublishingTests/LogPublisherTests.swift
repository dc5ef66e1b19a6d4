import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import LogPublishing
import Testing

@Suite("Publishing the log of sealed partitions")
struct LogPublisherTests {
    private let place: TestFolder
    private let folder: LogFolder
    private var tiles: TileFolder { folder.tiles }
    private let signer: EdwardsNoteSigner

    init() throws {
        place = try TestFolder.made()
        folder = LogFolder(at: place.file("log"), in: POSIXFileSystem())
        signer = try SampleDevice.serverKey.logSigner(origin: "example.com/daybook")
    }

    private func publisher(_ store: any SealLog) -> LogPublisher {
        LogPublisher(log: store, folder: folder, signer: signer)
    }

    /// Reads everything that the folder has, with the public key alone.
    private func mirrored() throws -> (checkpoint: Checkpoint, entries: [[UInt8]]) {
        let bytes = try #require(try tiles.checkpoint(limit: SignedNote.maximumBytes))
        let policy = try WitnessPolicy(logKeys: [signer.verifierKey])
        let checkpoint = try policy.verify(SignedCheckpoint(bytes)).checkpoint
        var reader = try TileReader(tiles, checkpoint: checkpoint)
        return (checkpoint, try (0..<checkpoint.size).map { try Array(reader.entry(at: $0)) })
    }

    @Test("whoever has the public key alone reads every entry, as the log grows and after a restart")
    func growth() async throws {
        let store = InMemoryEventStore()
        let first = publisher(store)
        #expect(first.newest == nil)
        #expect(try await first.publish()?.checkpoint.size == 0)

        for end: UInt32 in [1, 3, 255, 256, 257, 600] {
            let before = UInt32(try mirrored().checkpoint.size)
            try await store.acceptSealed((before + 1)...end)
            // Another process each time, and the same one a second time.
            let publisher = publisher(store)
            let signed = try await publisher.publish()
            #expect(try await publisher.publish() == signed && publisher.newest == signed)

            let (checkpoint, entries) = try mirrored()
            #expect(checkpoint.size == UInt64(end) && checkpoint == signed?.checkpoint)
            let expected = try await store.logEntries(from: 0, limit: 1000).map(\.canonicalBytes)
            #expect(entries == expected)
            let root = try await store.withLog(durably: true) { try $0.root(at: UInt64(end)) }
            #expect(checkpoint.root == root)
        }
    }

    @Test("a log goes on under another key if it knows the one before, and is signed anew before anything is entered")
    func formerKey() async throws {
        let store = InMemoryEventStore()
        try await store.acceptSealed(1...3)
        let before = try #require(try await publisher(store).publish())
        let next = try EdwardsNoteSigner(name: "example.com/daybook", algorithm: .ed25519)

        let stranger = LogPublisher(log: store, folder: folder, signer: next)
        await #expect(throws: LogPublishingError.foreign(origin: "example.com/daybook")) {
            try await stranger.publish()
        }
        let other = try EdwardsNoteSigner(name: "example.com/daybook", algorithm: .ed25519).verifierKey
        let wrong = LogPublisher(log: store, folder: folder, signer: next, formerKeys: [other])
        await #expect(throws: LogPublishingError.foreign(origin: "example.com/daybook")) { try await wrong.publish() }
        #expect(try tiles.checkpoint(limit: SignedNote.maximumBytes) == before.note.bytes)

        let publisher = LogPublisher(log: store, folder: folder, signer: next, formerKeys: [signer.verifierKey])
        let signed = try #require(try await publisher.publish())

        #expect(signed.checkpoint == before.checkpoint)
        _ = try WitnessPolicy(logKeys: [next.verifierKey]).verify(signed)
        #expect(throws: ProofError.self) { try WitnessPolicy(logKeys: [signer.verifierKey]).verify(signed) }
        #expect(try tiles.checkpoint(limit: SignedNote.maximumBytes) == signed.note.bytes)
    }

    @Test("of a log that grows entry by entry, the partial tiles of the newest checkpoints stay, also over restarts")
    func partialTiles() async throws {
        let store = InMemoryEventStore()
        var running = publisher(store)
        for number: UInt32 in 1...290 {
            try await store.acceptSealed(number...number)
            if number.isMultiple(of: 40) { running = publisher(store) }
            try await running.publish()
        }

        func widths(_ path: String) throws -> [Int] {
            try POSIXFileSystem().list(place.file("log/\(path)")).compactMap { Int($0) }.sorted()
        }
        // The process that publishes now began with 279 entries.
        #expect(try widths("tile/entries/001.p") == Array(23...34) && widths("tile/0/001.p") == Array(23...34))
        #expect(try widths("tile/entries/000.p").isEmpty && widths("tile/0/000.p").isEmpty)
        for number: UInt32 in 291...310 {
            try await store.acceptSealed(number...number)
            try await running.publish()
        }
        #expect(try widths("tile/entries/001.p") == Array(39...54) && widths("tile/0/001.p") == Array(39...54))
        #expect(try mirrored().entries.count == 310)
    }

    @Test("servers of one database write the same files, and runs at once are one")
    func several() async throws {
        let store = InMemoryEventStore()
        let other = LogFolder(at: place.file("other"), in: POSIXFileSystem())
        let (first, second) = (publisher(store), LogPublisher(log: store, folder: other, signer: signer))
        for end: UInt32 in [3, 300, 520] {
            try await store.acceptSealed(UInt32(first.newest?.checkpoint.size ?? 0) + 1...end)
            try await withThrowingTaskGroup { group in
                for publisher in [first, second, first, second, first] {
                    group.addTask { _ = try await publisher.publish() }
                }
                try await group.waitForAll()
            }
            try await first.publish()
            try await second.publish()
        }

        #expect(try mirrored().entries.count == 520)
        for tile in Tile.growth(from: 0, to: 520) {
            let bytes = try tiles.bytes(of: tile, limit: tile.maximumBytes)
            #expect(try bytes != nil && bytes == other.tiles.bytes(of: tile, limit: tile.maximumBytes), "\(tile.path)")
        }
        let limit = SignedNote.maximumBytes
        #expect(try tiles.checkpoint(limit: limit) == other.tiles.checkpoint(limit: limit))
    }

    @Test("a database that was put back to an older copy is found, before and after it has grown again")
    func rolledBack() async throws {
        let store = InMemoryEventStore()
        try await store.acceptSealed(1...5)
        try await publisher(store).publish()
        let before = try tiles.checkpoint(limit: SignedNote.maximumBytes)

        let older = InMemoryEventStore()
        try await older.acceptSealed(1...3)
        let starting = publisher(older)
        await #expect(throws: LogPublishingError.shortened(published: 5, found: 3)) { try await starting.publish() }
        #expect(starting.newest?.checkpoint.size == 5, "what was published stays to be read")
        try await older.acceptSealed(11...14)
        await #expect(throws: LogPublishingError.rewritten(size: 5)) { try await publisher(older).publish() }

        #expect(try tiles.checkpoint(limit: SignedNote.maximumBytes) == before)
        #expect(try mirrored().entries.count == 5)
    }

    @Test("a publisher that found a database shortened goes on when the newer copy is back")
    func putBack() async throws {
        let store = InMemoryEventStore()
        try await store.acceptSealed(1...5)
        let log = ExchangedLog(store)
        let publisher = publisher(log)
        try await publisher.publish()

        log.exchange(for: InMemoryEventStore())
        await #expect(throws: LogPublishingError.shortened(published: 5, found: 0)) { try await publisher.publish() }
        #expect(publisher.newest?.checkpoint.size == 5)
        log.exchange(for: store)
        try await store.acceptSealed(6...7)

        #expect(try await publisher.publish()?.checkpoint.size == 7)
    }

    @Test("entries that do not make the log's root are not published")
    func contradictory() async throws {
        let (store, other) = (InMemoryEventStore(), InMemoryEventStore())
        try await store.acceptSealed(1...300)
        try await other.acceptSealed(1...299)
        try await other.acceptSealed(400...400)
        let log = ExchangedLog(store)
        log.exchangeEntries(for: other)

        await #expect(throws: LogPublishingError.contradictory(size: 300)) { try await publisher(log).publish() }
        #expect(try tiles.checkpoint(limit: SignedNote.maximumBytes) == nil)
        #expect(try await publisher(store).publish()?.checkpoint.size == 300)
    }

    @Test("a folder of another key, another log or with a changed tile is not written to")
    func foreign() async throws {
        let store = InMemoryEventStore()
        try await store.acceptSealed(1...2)
        try await publisher(store).publish()
        let signers = [
            try SampleDevice.serverKey.logSigner(origin: "example.com/other"),
            try EdwardsNoteSigner(name: "example.com/daybook", algorithm: .ed25519),
        ]
        for signer in signers {
            await #expect(throws: LogPublishingError.foreign(origin: "example.com/daybook")) {
                try await LogPublisher(log: store, folder: folder, signer: signer).publish()
            }
        }

        let tile = place.file("log/\(Tile(level: 0, index: 0, width: 2).path)")
        try POSIXFileSystem().replaceFile(at: tile, with: [UInt8](repeating: 7, count: 64))
        await #expect(throws: LogPublishingError.self) { try await publisher(store).publish() }
    }
}
