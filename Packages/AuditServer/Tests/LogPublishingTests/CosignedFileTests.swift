import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import LogPublishing
import Testing

@Suite("The file of what witnesses have cosigned")
struct CosignedFileTests {
    private let place: TestFolder
    private let folder: LogFolder
    private let clock = ManualClock()
    private let witnesses: [SampleWitness]
    private let store = InMemoryEventStore()

    init() async throws {
        place = try TestFolder.made()
        folder = LogFolder(at: place.file("log"), in: POSIXFileSystem())
        let key = try SampleDevice.serverKey.logSigner(origin: "example.com/daybook").verifierKey
        let clock = clock
        witnesses = try (1...2).map { try SampleWitness($0, of: key, clock: clock) }
        try await store.acceptSealed(1...5)
    }

    /// Publishes, and has what is published cosigned and kept.
    private func run() async throws {
        var server = try WitnessedServer(store, in: folder, witnesses: witnesses)
        try await server.publish(at: clock.now())
        _ = await server.ask(at: clock.now())
        try await server.publish(at: clock.now())
    }

    @Test("a process that starts while the witnesses are away shows what was cosigned before")
    func restart() async throws {
        try await run()
        for witness in witnesses { witness.isAway = true }
        var server = try WitnessedServer(store, in: folder, witnesses: witnesses)
        try await server.publish(at: clock.now())

        #expect(server.cosigned.shown?.note.signatures.count == 3)
        #expect(server.cosigned.concerns.isEmpty)
        try await store.acceptSealed(6...6)
        try await server.publish(at: clock.now())
        #expect(server.cosigned.shown?.checkpoint.size == 5)
        clock.advance(microseconds: 5_000_000)
        try await server.publish(at: clock.now())
        #expect(server.cosigned.shown?.checkpoint.size == 6 && server.cosigned.concerns.count == 1)
    }

    @Test("a mirror of the folder that serves it as the checkpoint satisfies readers who ask for witnesses")
    func mirror() async throws {
        try await run()
        let bytes = try #require(try PrivateFile.read(place.file("log/cosigned")))
        let accepted = try CosignedLog(WitnessSettings(witnesses.map { try $0.address }), of: Self.key).policy
            .verify(SignedCheckpoint(bytes))
        var reader = try TileReader(folder.tiles, checkpoint: accepted.checkpoint)
        #expect(accepted.cosignatures.count == 2)
        let entries = try (0..<5).map { try Array(reader.entry(at: $0)) }
        #expect(try await store.logEntries(from: 0, limit: 10).map(\.canonicalBytes) == entries)
    }

    private static var key: NoteVerifierKey {
        get throws { try SampleDevice.serverKey.logSigner(origin: "example.com/daybook").verifierKey }
    }

    @Test(
        "what was cosigned under a former key is held against the log, and is not what readers of the new key are shown"
    )
    func formerKey() async throws {
        try await run()
        let next = try EdwardsNoteSigner(name: "example.com/daybook", algorithm: .ed25519)
        let settings = try WitnessSettings(witnesses.map { try $0.address })
        func log(_ former: [NoteVerifierKey]) throws -> CosignedLog {
            try CosignedLog(settings, of: next.verifierKey, formerKeys: former)
        }
        let cosigned = try log([Self.key])
        var file = CosignedFile(in: folder)
        try await file.restore(cosigned, of: store, at: clock.now())
        let publisher = LogPublisher(log: store, folder: folder, signer: next, formerKeys: [try Self.key])

        cosigned.advance(to: try #require(try await publisher.publish()), at: clock.now())

        let shown = try #require(cosigned.shown)
        #expect(shown.checkpoint.size == 5 && cosigned.cosigned == nil)
        _ = try WitnessPolicy(logKeys: [next.verifierKey]).verify(shown)
        let older = InMemoryEventStore()
        try await older.acceptSealed(1...3)
        var again = CosignedFile(in: folder)
        await #expect(throws: LogPublishingError.cosignedElsewhere(size: 5)) {
            try await again.restore(log([Self.key]), of: older, at: clock.now())
        }
        var stranger = CosignedFile(in: folder)
        await #expect(throws: LogPublishingError.foreign(origin: "example.com/daybook")) {
            try await stranger.restore(log([]), of: store, at: clock.now())
        }
    }

    @Test("a database and a checkpoint that were put back together are found by what was cosigned")
    func putBackTogether() async throws {
        let older = InMemoryEventStore()
        try await older.acceptSealed(21...23)
        try await run()
        // Somebody exchanges the tiles and the checkpoint, too, and forgets this file.
        let other = LogFolder(at: place.file("other"), in: POSIXFileSystem())
        var forged = try WitnessedServer(older, in: other, witnesses: witnesses)
        try await forged.publish(at: clock.now())
        let kept = try #require(try PrivateFile.read(place.file("log/cosigned")))
        try POSIXFileSystem().replaceFile(at: place.file("other/cosigned"), with: kept)

        for end in [23, 29] as [UInt32] {
            if end > 23 { try await older.acceptSealed(24...end) }
            var server = try WitnessedServer(older, in: other, witnesses: witnesses)
            await #expect(throws: LogPublishingError.cosignedElsewhere(size: 5)) {
                try await server.publish(at: clock.now())
            }
        }
        let signed = try SignedCheckpoint(#require(try other.tiles.checkpoint(limit: SignedNote.maximumBytes)))
        #expect(signed.checkpoint.size == 3, "nothing more was signed")
        // Other witnesses do not make it forgotten: the log itself has signed it.
        var alone = try WitnessedServer(older, in: other, witnesses: [])
        await #expect(throws: LogPublishingError.cosignedElsewhere(size: 5)) {
            try await alone.publish(at: clock.now())
        }
    }

    @Test("other witnesses begin anew, and a damaged or foreign file is an error that names it")
    func otherFiles() async throws {
        try await run()
        let path = place.file("log/cosigned")
        let third = try SampleWitness(3, of: Self.key, clock: clock)
        var server = try WitnessedServer(store, in: folder, witnesses: [third])
        try await server.publish(at: clock.now())
        #expect(server.cosigned.cosigned == nil)

        var bytes = try #require(try PrivateFile.read(path))
        bytes[bytes.count - 5] ^= 1
        let stranger = try EdwardsNoteSigner(name: "example.com/daybook", algorithm: .ed25519)
        let newest = try #require(server.publisher.newest).checkpoint
        let foreign = try SignedCheckpoint(newest, signedBy: [stranger]).note.bytes
        for damaged in [bytes, [], [1, 2, 3], foreign, [UInt8](repeating: 65, count: SignedNote.maximumBytes + 1)] {
            try POSIXFileSystem().replaceFile(at: path, with: damaged)
            var server = try WitnessedServer(store, in: folder, witnesses: witnesses)
            await #expect(throws: LogPublishingError.self) { try await server.publish(at: clock.now()) }
        }
    }
}
