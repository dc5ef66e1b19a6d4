import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import Foundation
import Testing

@Suite("Partitions that a server refused, and that are offered again")
struct ReleaseTests {
    private static let reason = "The server refuses it."
    private static let hour: Int64 = 3_600_000_000

    /// A disk with one partition of three events that a server refused.
    private static func refused(
        clock: any EventClock = ManualClock(),
        program: String = "ward 1"
    ) throws -> (DiskFixture, PartitionedEventFiles, PartitionID) {
        let fixture = try DiskFixture()
        let files = try fixture.open(clock: clock, program: program)
        _ = try files.append(AuditEvent.samples(0..<3))
        let partition = try #require(try files.partitions().first?.partition)
        try files.quarantine(partition, reason: reason)
        #expect(try files.partitions().map(\.quarantineReason) == [reason])
        return (fixture, files, partition)
    }

    /// The endings of the files of the folder that belong to a partition.
    private static func endings(_ fixture: DiskFixture, _ partition: PartitionID) throws -> Set<String> {
        let names = try fixture.disk.list(fixture.folder.path).filter { $0.hasPrefix(partition.id.stringValue) }
        return Set(names.map { String($0.dropFirst(24)) })
    }

    @Test("a partition that was refused is offered again a day later, and after another day if it is refused once more")
    func daily() throws {
        let clock = ManualClock()
        let (fixture, files, partition) = try Self.refused(clock: clock)
        for _ in 0..<2 {
            for _ in 0..<23 {
                clock.advance(microseconds: Self.hour)
                #expect(try files.partitions().map(\.quarantineReason) == [Self.reason])
            }
            clock.advance(microseconds: Self.hour)

            let summary = try #require(try files.partitions().first)

            #expect(summary.quarantineReason == nil)
            #expect((summary.count, summary.isSealed, summary.acknowledgedThrough) == (3, true, 0))
            #expect(try Self.endings(fixture, partition) == [".events"])
            try files.quarantine(partition, reason: Self.reason)
        }
        clock.advance(microseconds: 24 * Self.hour)
        _ = try files.partitions()
        #expect(try files.upload(partition) == AuditEvent.samples(0..<3))
        try files.delete(partition)
        #expect(try files.partitions() == [])
        #expect(try Self.endings(fixture, partition) == [])
        #expect(fixture.errors.errors.isEmpty)
        #expect(fixture.log.notices.filter { if case .released = $0 { true } else { false } }.count == 3)
    }

    @Test("a clock that is set back by years keeps no partition aside for years")
    func clockSetBack() throws {
        let clock = ManualClock(start: EventInstant(microseconds: 1_900_000_000_000_000))
        let (_, files, _) = try Self.refused(clock: clock)
        clock.setWall(EventInstant(microseconds: 1_700_000_000_000_000))
        #expect(try files.partitions().map(\.quarantineReason) == [nil])
    }

    @Test("another version of the program offers it again when it starts, once")
    func newerProgram() throws {
        let (fixture, files, partition) = try Self.refused()
        try files.close()
        let same = try fixture.open()
        #expect(try same.partitions().map(\.quarantineReason) == [Self.reason])
        try same.close()

        let newer = try fixture.open(program: "ward 2")

        #expect(try newer.partitions().map(\.quarantineReason) == [nil])
        try newer.quarantine(partition, reason: Self.reason)
        for _ in 0..<3 { #expect(try newer.partitions().map(\.quarantineReason) == [Self.reason]) }
        try newer.close()
        #expect(try fixture.open(program: "ward 2").partitions().map(\.quarantineReason) == [Self.reason])
        #expect(try fixture.audit() == [])
        #expect(fixture.errors.errors.isEmpty)
    }

    @Test("what an earlier version of this library set aside is offered again, and not taken for a file that came back")
    func earlierNote() throws {
        let (fixture, files, partition) = try Self.refused()
        try files.close()
        let note = #"{"acknowledgedThrough":0,"count":3,"isSealed":true,"reason":"The server refuses it."}"#
        fixture.disk.place(Array(note.utf8), at: "\(fixture.folder.path)/\(partition.id).quarantined.json")

        #expect(try fixture.open().partitions().map(\.quarantineReason) == [nil])
        #expect(fixture.errors.errors.isEmpty)
        #expect(try fixture.audit() == [])
    }

    @Test("somebody may ask for it, also while the app runs")
    func askedFor() throws {
        let (fixture, files, partition) = try Self.refused()
        let aside = try PartitionFiles.keptAside(below: "/data", in: fixture.disk)
        #expect(aside.map(\.partition) == [partition])
        #expect(aside.map(\.reason) == [Self.reason])
        #expect(aside.map(\.isReleasable) == [true])
        #expect(try PartitionFiles.strays(below: "/data", in: fixture.disk) == [])

        for aside in aside + aside { #expect(try PartitionFiles.release(aside, in: fixture.disk)) }

        #expect(try PartitionFiles.strays(below: "/data", in: fixture.disk) == [])
        #expect(try files.partitions().map(\.quarantineReason) == [nil])
        #expect(try Self.endings(fixture, partition) == [".events"])
        try files.quarantine(partition, reason: Self.reason)
        #expect(try files.partitions().map(\.quarantineReason) == [Self.reason])
    }

    @Test("what is damaged stays aside, whoever asks for it, because its events went on in another file")
    func damaged() throws {
        let clock = ManualClock()
        let fixture = try DiskFixture()
        let writer = try fixture.open(clock: clock)
        _ = try writer.append(AuditEvent.samples(0..<3))
        try writer.close()
        let path = try #require(try fixture.healthyPaths().first)
        var bytes = try #require(fixture.disk.contents(of: path))
        for place in bytes.count / 4..<bytes.count / 2 { bytes[place] ^= 0xFF }
        fixture.disk.place(bytes, at: path)
        let files = try fixture.open(clock: clock)
        let partition = try #require(try files.partitions().first?.partition)
        #expect(throws: PartitionError.self) { _ = try files.read(partition, from: 1, maximumBytes: 1000) }
        let aside = try #require(try PartitionFiles.keptAside(below: "/data", in: fixture.disk).first)
        #expect(!aside.isReleasable)

        #expect(try !PartitionFiles.release(aside, in: fixture.disk))
        // Even if somebody made the file by hand.
        fixture.disk.place([], at: "\(fixture.folder.path)/\(partition.id).release")
        clock.advance(microseconds: 48 * Self.hour)

        for files in [files, try fixture.open(clock: clock, program: "ward 2")] {
            let summaries = try files.partitions().filter { $0.partition == partition }
            #expect(summaries.allSatisfy { $0.quarantineReason != nil })
        }
        #expect(try Self.endings(fixture, partition).contains(".quarantined"))
    }

    /// A disk on which somebody asked for the partition, with the files open.
    private static func askedFor() throws -> (DiskFixture, PartitionedEventFiles, PartitionID) {
        let (fixture, files, partition) = try refused()
        let aside = try #require(try PartitionFiles.keptAside(below: "/data", in: fixture.disk).first)
        try PartitionFiles.release(aside, in: fixture.disk)
        return (fixture, files, partition)
    }

    @Test("whichever call fails, and wherever process or power end: its events are there once, and none is missed")
    func anyCall() throws {
        let (whole, files, _) = try Self.askedFor()
        let first = whole.faulty.callCount + 1
        _ = try files.partitions()
        let last = whole.faulty.callCount
        #expect(last - first > 20)
        for call in first...last {
            for isDeadly in [false, true] {
                let (fixture, files, partition) = try Self.askedFor()
                if isDeadly {
                    fixture.faulty.die(atCall: call)
                } else {
                    fixture.faulty.fail(call: call, with: .error(EIO))
                }
                let listed = Result { try files.partitions() }
                if case .success(let summaries) = listed { #expect(summaries.count == 1, "call \(call)") }
                fixture.faulty.bury()

                for cut in [InMemoryFileSystem.PowerCut.losesNothing, .losesAll, .losesSome(seed: UInt64(call))] {
                    let place = try DiskFixture(fixture.disk.afterPowerCut(cut))
                    let files = try place.open(program: "ward 2")
                    #expect(try files.partitions().map(\.quarantineReason) == [nil], "call \(call), \(cut)")
                    #expect(try files.upload(partition) == AuditEvent.samples(0..<3), "call \(call), \(cut)")
                    try files.delete(partition)
                    #expect(place.errors.findings == [], "call \(call), \(cut)")
                    #expect(try place.audit() == [], "call \(call), \(cut)")
                    #expect(try Self.endings(place, partition) == [], "call \(call), \(cut)")
                }
            }
        }
    }
}
