import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import Synchronization
import Testing

@Suite("Retention of the event files")
struct RetentionTests {
    let fixture: FilesFixture
    let clock = ManualClock(start: EventInstant(microseconds: 0))

    init() throws {
        fixture = try FilesFixture()
    }

    private func open(_ retention: EventRetention, partitionBytes: UInt64 = 1 << 20) throws -> PartitionedEventFiles {
        try fixture.open(
            limits: PartitionLimits(partitionBytes: partitionBytes),
            policy: StoragePolicy(retention: retention),
            clock: clock
        )
    }

    /// An event of the clock's time.
    private func event(_ number: Int) -> AuditEvent {
        let now = clock.now()
        return AuditEvent(id: ObjectId(high: 7, low: UInt32(number)), clock: now, activity: "event \(number)")
    }

    private func wait(seconds: Int64) { clock.advance(microseconds: seconds * 1_000_000) }

    @Test("events of the age go with their partition, and the ledger says which")
    func age() throws {
        let files = try open(EventRetention(maximumAge: .seconds(1000)))
        _ = try files.append([event(1), event(2)])
        try files.seal()
        let first = try #require(try files.partitions().first)
        let root = try files.read(first.partition, from: 1, maximumBytes: .max).root
        wait(seconds: 900)
        _ = try files.append([event(3)])
        #expect(try fixture.paths().count == 2)
        wait(seconds: 200)

        _ = try files.append([event(4)])

        #expect(try fixture.storedEvents().map(\.activity) == ["event 3", "event 4"])
        let entry = try #require(try files.losses().first)
        #expect(try files.losses().count == 1)
        #expect(entry.reason == .retention)
        #expect(entry.count == 2)
        #expect(entry.sequences == 1...2)
        #expect(entry.partition == first.partition)
        #expect(entry.root == root)
        #expect(entry.first == EventInstant(microseconds: 0))
        try files.close()
        let seal = try #require(try fixture.onlyReport().seal)
        #expect(seal.previousRoot == root)
        #expect(seal.losses == [entry])
    }

    @Test("a partition that is written to is closed at a quarter of the age, so that it can go")
    func openPartition() throws {
        let files = try open(EventRetention(maximumAge: .seconds(1000)))
        for number in 0..<30 {
            _ = try files.append([event(number)])
            wait(seconds: 100)
        }

        let oldest = try #require(try fixture.storedEvents().first)
        #expect(clock.now().wall.microseconds - oldest.timestamp.microseconds <= 1500 * 1_000_000)
        #expect(try fixture.storedEvents().count >= 10)
        let lost = try files.losses().reduce(0) { $0 + $1.count }
        #expect(Int(lost) + (try fixture.storedEvents().count) == 30)
    }

    @Test("what is too old when the files are opened goes then")
    func opening() throws {
        do {
            let files = try open(.everything)
            _ = try files.append([event(1)])
            try files.close()
        }
        wait(seconds: 86401)

        let files = try open(.days(1))

        #expect(try fixture.storedEvents().isEmpty)
        #expect(try files.losses().map(\.reason) == [.retention])
        try files.close()
        let again = try open(.days(1))
        #expect(try again.losses().map(\.count) == [1])
    }

    @Test("the oldest closed partitions go until the rest has the size")
    func bytes() throws {
        let files = try open(EventRetention(maximumBytes: 6000), partitionBytes: 1500)
        for number in 0..<200 { _ = try files.append([event(number)]) }
        try files.close()

        let stored = try fixture.storedEvents().compactMap { Int($0.activity.dropFirst(6)) }
        #expect(stored == Array((200 - stored.count)..<200))
        let reports = try fixture.paths().map { try PartitionFiles.verify($0) }
        #expect(reports.allSatisfy { $0.problems.isEmpty })
        #expect(reports.flatMap(\.losses).reduce(0) { $0 + $1.count } == UInt64(200 - stored.count))
    }

    @Test("a partition that cannot be deleted is kept, the handler is notified, and appending goes on")
    func failure() throws {
        let errors = Mutex<[any Error]>([])
        let files = try fixture.open(
            policy: StoragePolicy(retention: EventRetention(maximumAge: .seconds(1000))),
            clock: clock,
            errorHandler: { error in errors.withLock { $0.append(error) } }
        )
        _ = try files.append([event(1)])
        try files.seal()
        wait(seconds: 1001)
        fixture.faulty.fail(.remove, at: 1, times: 1000, with: .error(13))

        _ = try files.append([event(2)])

        #expect(errors.withLock { $0.count } == 1)
        #expect(try fixture.storedEvents().count == 2)
        fixture.faulty.heal()
        wait(seconds: 200)
        _ = try files.append([event(3)])
        #expect(try fixture.storedEvents().map(\.activity) == ["event 2", "event 3"])
    }
}
