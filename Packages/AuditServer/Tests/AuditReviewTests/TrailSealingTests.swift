import AuditModel
import AuditReview
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import SQLiteStore
import Testing

@Suite("The seals of the auditors' trail")
struct TrailSealingTests {
    private let folder: TestFolder
    private let inner = InMemoryEventStore()
    private let store: DoubtfulStore
    private let clock = ManualClock()

    init() throws {
        folder = try TestFolder.made()
        store = DoubtfulStore(inner)
    }

    /// A process that writes the trail; the first of its ids tells it from others.
    private func process(_ number: UInt32 = 1, key: SigningKey = SampleDevice.serverKey) throws -> AuditTrail {
        AuditTrail(
            store: store,
            index: try SearchIndex(),
            key: key,
            clock: clock,
            ids: SequentialIds(first: number * 1000),
            file: TrailFile(folder.file("trail.open"))
        )
    }

    private func record(_ count: Int, by trail: AuditTrail) async throws {
        for number in 0..<count {
            clock.advance(microseconds: 1_000_000)
            try await trail.record("looked \(number)", about: nil, because: nil, by: .server)
        }
    }

    /// The entries of the log, each of which has a seal that its events verify with.
    private func entries() async throws -> [PartitionLogEntry] {
        let entries = try await inner.logEntries(from: 0, limit: 100)
        for entry in entries {
            #expect(entry.owner == TrailEvent.owner && entry.partition.prefix == TrailEvent.prefix)
            #expect(entry.seal.publicKey == SampleDevice.serverKey.trailKey.publicKey)
            let filter = EventFilter(partition: entry.partition, includesRepeated: true)
            let page = try await inner.events(filter, after: nil, limit: 100, maximumBytes: .max)
            var frontier = MerkleFrontier()
            for stored in page.events { frontier.append(MerkleHash.leaf(try #require(stored.event).encoded)) }
            #expect(throws: Never.self) { try entry.seal.verify(over: frontier) }
            #expect(entry.seal.first == page.events.first?.event?.timestamp)
            #expect(entry.seal.last == page.events.last?.event?.timestamp)
        }
        return entries
    }

    /// The partitions of the trail without a seal.
    private func open() async throws -> [PartitionID] {
        try await inner.partitions(after: nil, limit: 100).filter { $0.seal == nil }.map(\.partition)
    }

    @Test(
        "what was recorded is sealed and in the log, one partition behind the other, and nothing is sealed when nothing was recorded"
    )
    func chain() async throws {
        let trail = try process()
        try await trail.seal()
        #expect(try await entries().isEmpty)

        for count in 1...3 {
            try await record(count, by: trail)
            try await trail.seal()
            try await trail.seal()
        }
        let entries = try await entries()
        #expect(entries.map(\.seal.count) == [1, 2, 3])
        #expect(entries.map(\.seal.previousRoot) == [nil, entries[0].seal.root, entries[1].seal.root])
        #expect(try await open().isEmpty)
    }

    @Test("records that nobody knows of whether they are stored are sealed as they are stored")
    func doubts() async throws {
        let trail = try process()
        for mode in [DoubtfulStore.Mode.failsBefore, .failsAfter, .failsAfter, .failsBefore] {
            try await record(2, by: trail)
            store.mode = mode
            await #expect(throws: AuditServerError.self) { try await record(1, by: trail) }
            store.mode = .works
        }
        // And one whose first event is in doubt.
        for mode in [DoubtfulStore.Mode.failsBefore, .failsAfter] {
            store.mode = mode
            await #expect(throws: AuditServerError.self) { try await record(1, by: trail) }
        }
        store.mode = .works
        try await trail.seal()

        #expect(try await entries().map(\.seal.count) == [2, 3, 3, 2, 1])
        #expect(try await open().isEmpty)
    }

    @Test("a seal that nobody knows of whether it is stored is made again or not, and records go on elsewhere")
    func doubtfulSeals() async throws {
        let trail = try process()
        for mode in [DoubtfulStore.Mode.failsBefore, .failsAfter] {
            try await record(2, by: trail)
            store.mode = mode
            await #expect(throws: AuditServerError.self) { try await trail.seal() }
            store.mode = .works
            try await record(1, by: trail)
            try await trail.seal()
        }
        #expect(try await entries().map(\.seal.count).sorted() == [1, 1, 2, 2])
        #expect(try await open().isEmpty)
    }

    @Test("what a process that died left open is sealed by the next one")
    func death() async throws {
        let first = try process(1)
        try await record(3, by: first)
        store.mode = .failsAfter
        await #expect(throws: AuditServerError.self) { try await record(1, by: first) }
        store.mode = .works
        try await record(2, by: first)

        let second = try process(2)
        try await record(1, by: second)
        try await second.seal()
        #expect(try await entries().map(\.seal.count) == [4, 2, 1])
        let third = try process(3)
        try await third.seal()
        #expect(try await entries().count == 3)
        #expect(try await open().isEmpty)
    }

    @Test(
        "what a process left, and somebody without the server's key has changed since, is not sealed, and is told each time"
    )
    func forged() async throws {
        let stranger = try process(1, key: SigningKey([UInt8](repeating: 9, count: 32)))
        try await record(3, by: stranger)
        let trail = try process(2)
        for _ in 0..<2 {
            try await record(1, by: trail)
            let error = await #expect(throws: AuditServerError.self) { try await trail.seal() }
            #expect("\(try #require(error))".contains("other events of the auditors' trail than were recorded"))
        }
        #expect(try await entries().map(\.seal.count) == [1, 1], "its own are sealed all the same")
        let next = try process(3)
        await #expect(throws: AuditServerError.self) { try await next.seal() }
        #expect(try await open().count == 1)
    }

    @Test("what a process left whose key was another one is sealed when that key is known, and told when it is not")
    func earlierKey() async throws {
        let before = try SigningKey([UInt8](repeating: 9, count: 32))
        try await record(3, by: process(1, key: before))
        func next(_ number: UInt32, _ earlierKeys: [[UInt8]]) throws -> AuditTrail {
            AuditTrail(
                store: store,
                index: try SearchIndex(),
                key: SampleDevice.serverKey,
                clock: clock,
                ids: SequentialIds(first: number * 1000),
                earlierKeys: earlierKeys,
                file: TrailFile(folder.file("trail.open"))
            )
        }
        await #expect(throws: AuditServerError.self) { try await next(2, []).seal() }
        try await next(3, [before.publicKey]).seal()
        #expect(try await entries().map(\.seal.count) == [3])
    }

    @Test("a partition that somebody else sealed while it was open is told, and what comes later is recorded elsewhere")
    func sealedByOthers() async throws {
        let trail = try process()
        try await record(1, by: trail)
        let partition = try #require(try await open().first)
        let page = try await inner.events(EventFilter(partition: partition), after: nil, limit: 9, maximumBytes: .max)
        var frontier = MerkleFrontier()
        frontier.append(MerkleHash.leaf(try #require(page.events.first?.event).encoded))
        let seal = try DeviceKey()
            .seal(
                partition,
                of: TrailEvent.owner,
                over: frontier,
                first: nil,
                last: nil,
                previousRoot: nil,
                losses: []
            )
        let stretch = PartitionStretch(
            partition: partition,
            firstSequence: 2,
            events: EncodedEvents([]),
            root: frontier.root,
            seal: seal
        )
        let key = SampleDevice.serverKey
        let upload = try EventUpload(stretch, owner: TrailEvent.owner, received: clock.now().wall, signedBy: key)
        _ = try await inner.accept(upload)

        let error = await #expect(throws: AuditServerError.self) { try await trail.seal() }
        #expect("\(try #require(error))".contains("other events of the auditors' trail than were recorded"))
        try await record(2, by: trail)
        await #expect(throws: AuditServerError.self) { try await trail.seal() }
        let sealed = try await inner.logEntries(from: 0, limit: 9)
        #expect(sealed.map(\.seal.count) == [1, 2])
        #expect(sealed.last?.seal.publicKey == key.trailKey.publicKey)
    }

    @Test("a file that is damaged keeps nothing from being recorded and sealed")
    func damagedFile() async throws {
        try PrivateFile.write(Array("no partition\n\u{0}\n".utf8), to: folder.file("trail.open"))
        let trail = try process()
        try await record(2, by: trail)
        try await trail.seal()
        #expect(try await entries().count == 1)
        #expect(try PrivateFile.read(folder.file("trail.open")) == [])
    }
}
