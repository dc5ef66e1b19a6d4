import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Testing

@testable import LogPublishing

@Suite("A bucket that somebody else writes to, and a server that was put back", .timeLimit(.minutes(5)))
struct LogCopierThiefTests {
    private let place: TestFolder

    init() throws { place = try TestFolder.made() }

    private func server(
        _ store: InMemoryEventStore,
        _ bucket: SampleBucket,
        folder: String = "log",
        origin: ExactText = "example.com/daybook"
    ) throws -> CopiedServer {
        let folder = LogFolder(at: place.file(folder), in: POSIXFileSystem())
        return try CopiedServer(store, in: folder, to: bucket, origin: origin)
    }

    private func store(_ numbers: ClosedRange<UInt32>) async throws -> InMemoryEventStore {
        let store = InMemoryEventStore()
        try await store.acceptSealed(numbers)
        return store
    }

    /// Expects that a server finds this in a bucket, says it with a remedy, and leaves everything as it was.
    private func expectRefused(_ server: CopiedServer, _ size: UInt32, _ concern: LogBucketConcern) async throws {
        var server = server
        let before = server.bucket.objects
        #expect(try await server.copy(size) == concern)
        #expect(server.bucket.objects == before && concern.isContradiction)
        #expect(server.copied.concern == concern && server.copier.isDue)
        let remedies = ["another prefix", "Keep the bucket", "Keep it"]
        #expect(remedies.contains { concern.description.contains($0) }, "\(concern)")
    }

    @Test("a log goes on in its bucket under a key that followed, and not under another one")
    func otherKey() async throws {
        let bucket = SampleBucket()
        let store = try await store(1...300)
        var before = try server(store, bucket)
        #expect(try await before.copy(300) == nil)
        let (key, former) = (try SigningKey([UInt8](repeating: 9, count: 32)), [before.publisher.verifierKey])
        func after(_ name: String, _ former: [NoteVerifierKey]) throws -> CopiedServer {
            let folder = LogFolder(at: place.file(name), in: POSIXFileSystem())
            return try CopiedServer(store, in: folder, to: bucket, key: key, formerKeys: former)
        }

        try await expectRefused(after("other", []), 300, .foreign)
        var followed = try after("log", former)
        #expect(try await followed.copy(300) == nil)
        try followed.expectWhole(300)
        #expect(try await followed.copy(310) == nil)
        try followed.expectWhole(310)
    }

    @Test("a server that was put back, or whose log is another one, changes nothing there")
    func putBack() async throws {
        let bucket = SampleBucket()
        var server = try server(try await store(1...300), bucket)
        #expect(try await server.copy(300) == nil)

        let older = try self.server(try await store(1...200), bucket, folder: "older")
        try await expectRefused(older, 200, .ahead(copied: 300, size: 200))
        let changed = try self.server(try await store(2...400), bucket, folder: "changed")
        try await expectRefused(changed, 399, .otherHistory(size: 300))
        let renamed = try self.server(try await store(1...400), bucket, folder: "renamed", origin: "example.com/other")
        try await expectRefused(renamed, 400, .foreign)

        // The older copy that has grown again, entry for entry, is the same log.
        #expect(try await server.copy(310) == nil)
        try server.expectWhole(310)
    }

    @Test("what is no checkpoint of this log keeps everything as it is")
    func checkpoints() async throws {
        let store = try await store(1...3)
        let origin: ExactText = "example.com/daybook"
        let stranger = try EdwardsNoteSigner(
            name: origin,
            algorithm: .ed25519,
            rawRepresentation: [UInt8](repeating: 7, count: 32)
        )
        let forged = try SignedCheckpoint(
            Checkpoint(origin: origin, size: 2, root: try #require(Digest([UInt8](repeating: 7, count: 32)))),
            signedBy: [stranger]
        )
        for bytes in [[], Array("<html>".utf8), forged.note.bytes, [UInt8](repeating: 0x41, count: 50_000)] {
            let bucket = SampleBucket()
            bucket.put(bytes, as: "checkpoint")
            try await expectRefused(server(store, bucket), 3, .foreign)
        }
    }

    @Test("a tile that somebody exchanged is found where it is to be put, and stays to be looked at")
    func exchanged() async throws {
        for name in ["tile/0/000", "tile/entries/000", "tile/0/001.p/44"] {
            let bucket = SampleBucket()
            bucket.put([1, 2, 3], as: name)
            var server = try server(try await store(1...300), bucket, folder: "log of \(name.utf8.count)")
            #expect(try await server.copy(300) == .otherObject(name: name))
            #expect(bucket.objects[name]?.bytes == [1, 2, 3] && bucket.objects["checkpoint"] == nil)
            bucket.put(nil, as: name)
            #expect(await server.copier.copy() == nil)
            try server.expectWhole(300)
        }
    }

    @Test("when the checkpoint is removed, all tiles are looked at again, and those that are missing put")
    func removed() async throws {
        let bucket = SampleBucket()
        var server = try server(try await store(1...300), bucket)
        #expect(try await server.copy(300) == nil)
        for name in ["checkpoint", "tile/0/000", "tile/entries/001.p/44"] { bucket.put(nil, as: name) }
        #expect(try await server.copy(301) == nil)
        try server.expectWhole(301)
        try server.expectReadable()

        for name in ["checkpoint", "tile/0/000"] { bucket.put(nil, as: name) }
        server = try self.server(server.store, bucket)
        #expect(try await server.copy(301) == nil)
        try server.expectWhole(301)
    }

    @Test("whoever removes the checkpoint over and over has the log sent once an hour")
    func removedAgain() async throws {
        let bucket = SampleBucket()
        var server = try server(try await store(1...300), bucket)
        #expect(try await server.copy(300) == nil)
        var puts: [Int] = []
        for (size, minutes) in [(301, 0), (302, 1), (303, 58), (304, 2)] as [(UInt32, Int64)] {
            server.clock.advance(microseconds: minutes * 60_000_000)
            bucket.put(nil, as: "checkpoint")
            bucket.forget()
            #expect(try await server.copy(size) == nil)
            puts.append(bucket.asked.count { $0.method == "PUT" })
            try server.expectWhole(UInt64(size))
        }
        // Two full tiles, three partial ones and the checkpoint; or two partial ones and the checkpoint.
        #expect(puts == [6, 3, 3, 6])
    }

    @Test("an older checkpoint that somebody put back is replaced with the next one")
    func putBackThere() async throws {
        let bucket = SampleBucket()
        var server = try server(try await store(1...3), bucket)
        #expect(try await server.copy(3) == nil)
        let older = try #require(bucket.objects["checkpoint"])
        #expect(try await server.copy(300) == nil)
        bucket.put(older.bytes, as: "checkpoint")
        #expect(try await server.copy(301) == nil)
        try server.expectWhole(301)
    }

    @Test("of two servers on one database, the one that is behind puts nothing back")
    func several() async throws {
        let bucket = SampleBucket()
        let store = try await store(1...260)
        var first = try server(store, bucket)
        try await first.grow(to: 260)
        var second = try server(store, bucket, folder: "second")
        #expect(try await second.copy(300) == nil)
        let before = bucket.objects
        #expect(await first.copier.copy() == nil)
        #expect(bucket.objects == before && first.copied.size == 300)

        #expect(try await first.copy(310) == nil)
        #expect(try await second.copy(320) == nil)
        try second.expectWhole(320)
        try second.expectReadable()
    }

    @Test("a checkpoint that came in between stays, and the next copy goes on from it")
    func between() async throws {
        let bucket = SampleBucket()
        var server = try server(try await store(1...3), bucket)
        #expect(try await server.copy(3) == nil)
        let before = try #require(bucket.objects["checkpoint"])
        try await server.grow(to: 4)
        bucket.say([OutsideResponse(status: 200, entityTag: "\"another\"", body: before.bytes)])
        #expect(await server.copier.copy() == nil)
        #expect(bucket.objects["checkpoint"] == before && server.copier.isDue)
        #expect(await server.copier.copy() == nil)
        try server.expectWhole(4)
    }

    @Test(
        "a store that knows no conditions has the same in the end",
        arguments: [SampleBucket.Conditions.refused, .ignored]
    )
    func conditions(_ conditions: SampleBucket.Conditions) async throws {
        let bucket = SampleBucket(conditions: conditions)
        var server = try server(try await store(1...3), bucket)
        for size: UInt32 in [3, 256, 300] {
            #expect(try await server.copy(size) == nil)
            try server.expectWhole(UInt64(size))
        }
        try server.expectReadable()
        let older = try self.server(try await store(1...200), bucket, folder: "older")
        try await expectRefused(older, 200, .ahead(copied: 300, size: 200))
    }
}
