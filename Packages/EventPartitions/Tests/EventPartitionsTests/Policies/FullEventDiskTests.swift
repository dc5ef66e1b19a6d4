import EventModel
import EventModelTesting
import EventPartitionsTesting
import Testing

@testable import EventPartitions

@Suite("Losses on a full disk")
struct FullEventDiskTests {
    let fixture: DiskFixture

    init() throws {
        fixture = try DiskFixture()
    }

    /// Fails to append events one by one, and enters each as the recorder does.
    private func lose(_ numbers: ClosedRange<Int>, in files: PartitionedEventFiles) {
        for number in numbers {
            // Longer than what a file keeps in reserve for the next events.
            let event = AuditEvent.sample(number, data: [UInt8](repeating: 1, count: 70_000))
            #expect(throws: PartitionError.self) { try files.append([event]) }
            files.note([LossEntry(reason: .writeFailed, count: 1, noticed: EventInstant(microseconds: Int64(number)))])
        }
    }

    /// How many events the seals say are lost.
    private func signed() throws -> UInt64 {
        try fixture.reports().flatMap { $0.seal?.losses ?? [] }.eventCount
    }

    /// How many losses an auditor sees that are in no partition yet.
    private func waiting() throws -> UInt64 {
        var audit = IndexAudit(below: "/data", in: fixture.disk)
        for report in try fixture.reports() { audit.add(report) }
        return try audit.finish().flatMap(\.waitingLosses).eventCount
    }

    @Test("what a full disk refused is on it when the program ends, and is signed when there is room again")
    func normalExit() throws {
        do {
            let files = try fixture.open()
            _ = try files.append([.sample(0)])
            fixture.disk.isFull = true
            lose(1...2567, in: files)
            files.enterLosses()
            #expect(throws: PartitionError.self) { try files.close() }
        }
        #expect(try waiting() == 2567)
        do {
            // The next run of the program finds the disk as full.
            let files = try fixture.open()
            #expect(try files.losses().eventCount == 2567)
            lose(2568...2570, in: files)
            files.enterLosses()
        }
        #expect(try waiting() == 2570)

        fixture.disk.isFull = false
        let files = try fixture.open()
        _ = try files.append([.sample(9000)])
        try files.close()

        #expect(try signed() == 2570)
        #expect(try waiting() == 0)
        #expect(try fixture.storedEvents() == [.sample(0), .sample(9000)])
        #expect(fixture.errors.findings.isEmpty)
    }

    @Test("a program that is killed on a full disk leaves at least half of the count")
    func killed() throws {
        do {
            let files = try fixture.open()
            _ = try files.append([.sample(0)])
            fixture.disk.isFull = true
            lose(1...1000, in: files)
            fixture.faulty.bury()
        }
        fixture.faulty.heal()

        #expect(try (500...1000).contains(waiting()))
    }

    @Test("a kill while losses go from the reserved room into a partition enters them once")
    func killedBetween() throws {
        do {
            let files = try fixture.open()
            _ = try files.append([.sample(0)])
            fixture.disk.isFull = true
            lose(1...20, in: files)
            files.enterLosses()
        }
        fixture.disk.isFull = false
        let image = fixture.disk.allContents
        var call = 1
        while true {
            let copy = try DeviceImage.place(image)
            copy.faulty.die(atCall: call)
            var isDone = false
            do {
                let files = try copy.open()
                _ = try files.append([.sample(1)])
                try files.close()
                isDone = true
            } catch {
                // The process is dead.
            }
            copy.faulty.bury()
            let next = try DeviceImage.place(copy.disk.afterPowerCut(.losesNothing).allContents)
            let files = try next.open()
            _ = try files.append([.sample(2)])
            try files.close()
            let found = try next.reports().flatMap { $0.seal?.losses ?? [] }.eventCount
            #expect(found == 20, "killed in front of call \(call)")
            #expect(next.errors.findings.isEmpty, "killed in front of call \(call)")
            if isDone { break }
            call += 1
        }
        #expect(call > 20)
    }

    @Test("refused events are in the file when somebody waits for it, and without a call after a minute")
    func refused() throws {
        let timer = ManualTimer()
        let clock = ManualClock()
        let policy = StoragePolicy(quota: EventQuota(bytes: 4000))
        let files = try fixture.open(policy: policy, clock: clock, timer: timer)
        let payload = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
        func refuse(_ numbers: Range<Int>) throws -> UInt64 {
            try numbers.reduce(0) { sum, number in
                try sum + UInt64(files.append([.sample(number, data: payload)]).rejections.count)
            }
        }
        /// What somebody who looks at the file from outside finds entered.
        func entered() throws -> UInt64 { try fixture.reports().flatMap(\.losses).eventCount }

        var count = try refuse(0..<1569)
        #expect(count > 1500)
        files.enterLosses()
        #expect(try entered() == count)

        count += try refuse(2000..<2100)
        #expect(try entered() < count)
        clock.advance(microseconds: 60_000_000)
        timer.advance(nanoseconds: 60_000_000_000)
        files.waitUntilSynced()
        #expect(try entered() == count)
    }

    @Test("of two programs that share a folder, the one that is left takes over what the other one could not enter")
    func takingOver() throws {
        let other = try fixture.open()
        do {
            let files = try fixture.open()
            _ = try files.append([.sample(0)])
            fixture.disk.isFull = true
            lose(1...10, in: files)
            files.enterLosses()
        }
        fixture.disk.isFull = false

        _ = try other.partitions()
        _ = try other.append([.sample(11)])
        try other.close()

        #expect(try signed() == 10)
        #expect(try fixture.disk.list(fixture.folder.path).filter { $0.hasSuffix(".ledger") }.count == 1)
    }
}
