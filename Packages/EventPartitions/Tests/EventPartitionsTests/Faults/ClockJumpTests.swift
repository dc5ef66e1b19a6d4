import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import Testing

@Suite("Event files when the clock is set")
struct ClockJumpTests {
    private func event(_ number: Int, at clock: ManualClock) -> AuditEvent {
        clock.advance(microseconds: 1000)
        return AuditEvent(
            id: ObjectId(high: 9, low: UInt32(number)),
            clock: clock.now(),
            activity: "e\(number)"
        )
    }

    @Test(
        "events keep the order in which they happened, and each says what both clocks showed",
        arguments: [false, true]
    )
    func order(reopens: Bool) throws {
        let clock = ManualClock()
        let ids = ObjectIdGenerator(clock: clock, seed: 7)
        let fixture = try DiskFixture()
        var files = try fixture.open(limits: PartitionLimits(partitionBytes: 600), clock: clock, ids: ids)
        let start = clock.now().wall.microseconds
        let jumps: [Int64] = [0, 86_400_000_000, -86_400_000_000, -1_000_000_000_000_000, 5_000_000_000_000, 1]
        var written: [AuditEvent] = []
        for (number, jump) in jumps.enumerated() {
            clock.setWall(EventInstant(microseconds: start + jump))
            for step in 0..<4 {
                written.append(event(number * 10 + step, at: clock))
                _ = try files.append([written[written.count - 1]])
            }
            guard reopens else { continue }
            try files.close()
            files = try fixture.open(limits: PartitionLimits(partitionBytes: 600), clock: clock, ids: ids)
        }
        try files.close()

        let reports = try fixture.reports()
        #expect(reports.flatMap(\.problems) == [])
        #expect(try fixture.storedEvents() == written)
        let monotonic = try fixture.storedEvents().map(\.clock.monotonicNanoseconds)
        #expect(monotonic == monotonic.sorted())
        // Each file names the one before it, whatever the clock said when it was made.
        #expect(reports.map { $0.seal?.previousRoot } == [nil] + reports.dropLast().map(\.root))
    }

    @Test("a process whose clock was set back goes on behind the files of the one before it")
    func setBackBetweenProcesses() throws {
        let fixture = try DiskFixture()
        let late = ManualClock()
        let first = try fixture.open(clock: late, ids: ObjectIdGenerator(clock: late, seed: 1))
        _ = try first.append([.sample(1)])
        try first.close()
        let early = ManualClock(start: EventInstant(microseconds: 1_000_000_000_000_000))

        let second = try fixture.open(clock: early, ids: ObjectIdGenerator(clock: early, seed: 2))
        _ = try second.append([.sample(2)])
        let summaries = try second.partitions()
        try second.close()

        #expect(summaries.last?.isSealed == false)
        #expect(try fixture.reports().flatMap(\.problems) == [])
        let roots = try fixture.reports().compactMap { $0.seal }
        let earlier = try #require(roots.first { $0.previousRoot == nil })
        #expect(roots.first { $0.previousRoot != nil }?.previousRoot == earlier.root)
    }
}
