import EventModel
import EventModelTesting
import EventPartitionsTesting
import Testing

@testable import EventPartitions

@Suite("Partitions that close by themselves")
struct ClosingTests {
    private static let hour = Duration.seconds(3600)

    let fixture: DiskFixture
    let timer = ManualTimer()
    let clock = ManualClock()

    init() throws {
        fixture = try DiskFixture()
    }

    private func open(_ closing: Duration? = Self.hour) throws -> PartitionedEventFiles {
        try fixture.open(policy: StoragePolicy(closing: closing), clock: clock, timer: timer)
    }

    /// Lets the same time pass for the clock and for the timer, and waits for what that begins.
    private func pass(_ seconds: Int64, for files: PartitionedEventFiles) {
        clock.advance(microseconds: seconds * 1_000_000)
        timer.advance(nanoseconds: UInt64(seconds) * 1_000_000_000)
        files.waitUntilSynced()
    }

    private func seals() throws -> [PartitionSeal?] { try fixture.reports().map(\.seal) }

    @Test("one with events in it is signed when its time has come, although nobody calls")
    func closing() throws {
        let files = try open()
        _ = try files.append([.sample(1)])
        pass(3599, for: files)
        #expect(try seals().map { $0?.count } == [nil])

        pass(1, for: files)

        #expect(try seals().map { $0?.count } == [1])
        _ = try files.append([.sample(2)])
        #expect(try fixture.reports().map(\.eventCount) == [1, 1])
        #expect(fixture.errors.errors.isEmpty)
    }

    @Test("each has its own time, which begins with its first event")
    func ownTime() throws {
        let files = try open()
        _ = try files.append([.sample(1)])
        pass(1800, for: files)
        try files.seal()
        pass(600, for: files)
        _ = try files.append([.sample(2)])

        // The time of the first one, which is closed already.
        pass(1200, for: files)
        #expect(try seals().map { $0?.count } == [1, nil])
        pass(2400, for: files)

        #expect(try seals().map { $0?.count } == [1, 1])
    }

    @Test("a device that slept through the time closes it before the next event is stored")
    func sleeping() throws {
        let files = try open()
        _ = try files.append([.sample(1)])
        // No timer runs, and on Linux no monotonic clock.
        clock.setWall(EventInstant(microseconds: clock.now().wall.microseconds + 3_600_000_000))

        _ = try files.append([.sample(2)])

        #expect(try seals().map { $0?.count } == [1, nil])
    }

    @Test("a device that slept through the time closes it when the upload looks what there is")
    func sleepingUploader() throws {
        let files = try open()
        _ = try files.append([.sample(1)])
        clock.setWall(EventInstant(microseconds: clock.now().wall.microseconds + 3_600_000_000))

        #expect(try files.partitions().map(\.isSealed) == [true])
    }

    @Test("a clock that is set back does not keep one open")
    func settingBack() throws {
        let files = try open()
        _ = try files.append([.sample(1)])
        clock.setWall(EventInstant(microseconds: -5))

        pass(3600, for: files)

        #expect(try seals().map { $0?.count } == [1])
    }

    @Test("one that cannot be signed is reported, and is signed when that is possible again")
    func failing() throws {
        let files = try open()
        _ = try files.append([.sample(1)])
        fixture.faulty.fail(.write, at: 1, times: 50, with: .error(5))

        pass(3600, for: files)

        #expect(fixture.errors.errors.count == 1)
        fixture.faulty.heal()
        #expect(try files.partitions().map(\.isSealed) == [true])
        #expect(try fixture.storedEvents() == [.sample(1)])
    }

    @Test("without a duration nothing waits, and one stays open")
    func never() throws {
        let files = try open(nil)
        _ = try files.append([.sample(1)])

        #expect(timer.waitingCount == 0)
        pass(400_000, for: files)
        #expect(try seals().map { $0?.count } == [nil])
    }

    @Test("less than 15 minutes and more than a day are refused", arguments: [0, 899, 86_401])
    func bounds(seconds: Int) throws {
        #expect(throws: EventModelError.self) { try open(.seconds(seconds)) }
        #expect(throws: Never.self) { try open(.seconds(900)).close() }
        #expect(throws: Never.self) { try open(.seconds(86_400)).close() }
    }
}
