import EventModel
import EventModelTesting
import EventPartitionsTesting
import Synchronization
import Testing

@testable import EventPartitions

@Suite("Durability of the event files")
struct DurabilityTests {
    let fixture: FilesFixture
    let timer = ManualTimer()

    init() throws {
        // Syncs are only counted, and a power cut is what was not synced by then.
        fixture = try FilesFixture()
    }

    private func open(
        _ durability: EventDurability,
        errorHandler: (@Sendable (any Error) -> Void)? = nil
    ) throws -> PartitionedEventFiles {
        try fixture.open(
            policy: StoragePolicy(durability: durability),
            timer: timer,
            errorHandler: errorHandler
        )
    }

    @Test("each commit is synced before an append returns, by default")
    func eachCommit() throws {
        let files = try open(EventDurability.eachCommit)
        let before = fixture.faulty.count(.synchronize)

        for number in 0..<5 { _ = try files.append([.sample(number)]) }

        #expect(fixture.faulty.count(.synchronize) == before + 5)
        #expect(timer.waitingCount == 0)
        #expect(StoragePolicy().durability == .eachCommit)
    }

    @Test("with an interval appends return unsynced and one sync follows in time for all of them")
    func interval() throws {
        let files = try open(.interval(.seconds(2)))
        let before = fixture.faulty.count(.synchronize)
        for number in 0..<5 { _ = try files.append([.sample(number)]) }
        #expect(fixture.faulty.count(.synchronize) == before)
        #expect(timer.waitingCount == 1)
        timer.advance(nanoseconds: 1_999_999_999)
        files.waitUntilSynced()
        #expect(fixture.faulty.count(.synchronize) == before)

        timer.advance(nanoseconds: 1)
        files.waitUntilSynced()

        #expect(fixture.faulty.count(.synchronize) == before + 1)
        #expect(files.persistedCount == 5)
        #expect(timer.waitingCount == 0)
        _ = try files.append([.sample(5)])
        #expect(timer.waitingCount == 1)
    }

    @Test("left to the system, nothing is synced before the partition is closed")
    func system() throws {
        let files = try open(.system)
        let before = fixture.faulty.count(.synchronize)
        for number in 0..<5 { _ = try files.append([.sample(number)]) }
        #expect(fixture.faulty.count(.synchronize) == before)
        #expect(timer.waitingCount == 0)

        try files.seal()

        // The events, what the index says of them, and the seal.
        #expect(fixture.faulty.count(.synchronize) == before + 3)
        #expect(files.persistedCount == 5)
    }

    @Test(
        "the death of the process costs nothing on any level",
        arguments: [EventDurability.eachCommit, .interval(.seconds(5)), .system]
    )
    func death(_ durability: EventDurability) throws {
        do {
            let files = try open(durability)
            for number in 0..<20 { _ = try files.append([.sample(number)]) }
        }

        let files = try open(durability)

        #expect(try files.partitions().map(\.count) == [20])
        #expect(try fixture.storedEvents() == AuditEvent.samples(0..<20))
        #expect(try fixture.onlyReport().problems.isEmpty)
    }

    @Test("the upload is offered synced events only", arguments: [EventDurability.interval(.seconds(5)), .system])
    func upload(_ durability: EventDurability) throws {
        let files = try open(durability)
        _ = try files.append(AuditEvent.samples(0..<4))
        let before = fixture.faulty.count(.synchronize)

        let partition = try #require(try files.partitions().first)

        #expect(fixture.faulty.count(.synchronize) == before + 1)
        #expect(partition.count == 4)
        #expect(try files.read(partition.partition, from: 1, maximumBytes: .max).events.count == 4)
    }

    @Test("synchronizing makes everything durable now, and closing does")
    func synchronizing() throws {
        let files = try open(.system)
        _ = try files.append([.sample(1)])

        try files.synchronize()
        #expect(files.persistedCount == 1)
        _ = try files.append([.sample(2)])
        try files.close()

        #expect(files.persistedCount == 2)
        #expect(throws: PartitionError.closed) { try files.synchronize() }
    }

    @Test("a sync that fails is reported, its events are named in the ledger and stay readable, and appending goes on")
    func failedSync() throws {
        let errors = Mutex<[any Error]>([])
        let files = try open(.interval(.seconds(1))) { error in errors.withLock { $0.append(error) } }
        _ = try files.append(AuditEvent.samples(0..<3))
        timer.advance(nanoseconds: 1_000_000_000)
        files.waitUntilSynced()
        _ = try files.append(AuditEvent.samples(3..<5))
        let partition = try #require(try files.partitions().first?.partition)
        _ = try files.append(AuditEvent.samples(5..<7))
        fixture.faulty.fail(.synchronize, at: 1, times: 1000, with: .error(5))
        timer.advance(nanoseconds: 1_000_000_000)
        files.waitUntilSynced()

        #expect(errors.withLock { $0.count } == 1)
        fixture.faulty.heal()
        _ = try files.append([.sample(7)])

        let entry = try #require(try files.losses().last { $0.reason == .writeFailed })
        #expect(entry.partition == partition)
        #expect(entry.sequences == 6...7)
        #expect(entry.count == 2)
        #expect(try fixture.storedEvents().count == 8)
        #expect(try files.partitions().map(\.count) == [7, 1])
    }

    @Test("files that are released before the interval ends are synced then")
    func lettingGo() throws {
        var before = 0
        do {
            let files = try open(.interval(.seconds(60)))
            before = fixture.faulty.count(.synchronize)
            _ = try files.append([.sample(1)])
            #expect(fixture.faulty.count(.synchronize) == before)
        }

        #expect(fixture.faulty.count(.synchronize) == before + 1)
        timer.advance(nanoseconds: 60_000_000_000)
        #expect(fixture.faulty.count(.synchronize) == before + 1)
    }

    @Test("a sync that fails while files are released is reported")
    func lettingGoWithFailure() throws {
        let errors = Mutex(0)
        do {
            let files = try open(.interval(.seconds(60))) { _ in errors.withLock { $0 += 1 } }
            _ = try files.append([.sample(1)])
            fixture.faulty.fail(.synchronize, at: 1, with: .error(5))
        }

        #expect(errors.withLock { $0 } == 1)
    }

    @Test("after closing, a timer that was set does nothing")
    func closedTimer() throws {
        let errors = Mutex<[any Error]>([])
        let files = try open(.interval(.seconds(1))) { error in errors.withLock { $0.append(error) } }
        _ = try files.append([.sample(1)])
        try files.close()

        timer.advance(nanoseconds: 1_000_000_000)
        files.waitUntilSynced()

        #expect(errors.withLock { $0.isEmpty })
    }
}
