import EventModel
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Foundation
import Testing

@Suite("Event files on a failing disk")
struct FaultTests {
    /// One call that fails.
    struct Scenario: Sendable, CustomTestStringConvertible {
        let operation: FileSystemError.Operation
        let fault: FaultInjectingFileSystem.Fault

        var testDescription: String { "\(operation.rawValue) \(fault)" }
    }

    static let scenarios = [
        Scenario(operation: .write, fault: .error(ENOSPC)),
        Scenario(operation: .write, fault: .error(EIO)),
        Scenario(operation: .write, fault: .tornWrite(bytes: 40, code: ENOSPC)),
        Scenario(operation: .write, fault: .tornWrite(bytes: 0, code: EIO)),
        Scenario(operation: .write, fault: .short(bytes: 7)),
        Scenario(operation: .synchronize, fault: .error(EIO)),
        Scenario(operation: .synchronize, fault: .error(ENOSPC)),
        Scenario(operation: .syncDirectory, fault: .error(EIO)),
        Scenario(operation: .open, fault: .error(EMFILE)),
        Scenario(operation: .lock, fault: .error(ENOLCK)),
    ]

    /// Appends ten batches with roll-overs in between, and returns the events whose append returned.
    private func record(into files: PartitionedEventFiles) -> [AuditEvent] {
        var durable: [AuditEvent] = []
        for number in 0..<10 {
            let batch = AuditEvent.samples(number * 2..<number * 2 + 2)
            do {
                _ = try files.append(batch)
                durable += batch
            } catch {
                // A call that throws has promised nothing.
                continue
            }
        }
        return durable
    }

    @Test("whichever call fails, nothing acknowledged is lost and later appends succeed", arguments: scenarios)
    func everyPosition(scenario: Scenario) throws {
        var position = 1
        var wasMet = true
        while wasMet {
            let fixture = try FilesFixture()
            let files = try fixture.open(limits: PartitionLimits(partitionBytes: 700))
            let before = fixture.faulty.count(scenario.operation)
            fixture.faulty.fail(scenario.operation, at: position, with: scenario.fault)

            let durable = record(into: files)

            wasMet = fixture.faulty.count(scenario.operation) - before >= position
            fixture.faulty.heal()
            #expect(durable.count >= 18, "call \(position)")
            if case .short = scenario.fault { #expect(durable.count == 20) }
            #expect(Set(try fixture.storedEvents()).isSuperset(of: durable), "call \(position)")
            let uploaded = try uploadAll(of: files)
            #expect(Set(uploaded).isSuperset(of: durable), "call \(position)")
            #expect(try fixture.paths() == [])
            position += 1
        }
        #expect(position > 2)
    }

    /// Uploads and deletes all partitions, after sealing what is open.
    private func uploadAll(of files: PartitionedEventFiles) throws -> [AuditEvent] {
        try files.seal()
        return try files.partitions()
            .flatMap { summary in
                let events = try files.upload(summary.partition)
                try files.delete(summary.partition)
                return events
            }
    }

    @Test("on a disk that stays full, appends throw, and succeed again when there is space")
    func fullDisk() throws {
        let fixture = try FilesFixture()
        let files = try fixture.open()
        _ = try files.append([.sample(0)])
        fixture.faulty.fail(.write, at: 1, times: 100, with: .error(ENOSPC))
        for number in 1..<5 {
            #expect(throws: PartitionError.self) { try files.append([.sample(number)]) }
        }
        #expect(try fixture.paths().count == 1)

        fixture.faulty.heal()
        _ = try files.append([.sample(5)])

        #expect(try files.partitions().map(\.count) == [1, 1])
        #expect(try fixture.storedEvents() == [.sample(0), .sample(5)])
        #expect(files.persistedCount == 2)
    }

    @Test("after a failed sync the file is not written to again")
    func failedSync() throws {
        let fixture = try FilesFixture()
        let files = try fixture.open()
        let first = try files.append([.sample(0)])
        fixture.faulty.fail(.synchronize, at: 1, with: .error(EIO))
        #expect(throws: PartitionError.self) { try files.append([.sample(1)]) }

        let next = try files.append([.sample(1)])

        #expect(next.places.first?.partition != first.places.first?.partition)
        #expect(try files.partitions().map(\.count) == [1, 1])
        #expect(try files.partitions().first?.isSealed == true)
    }

    @Test("short reads give the same events")
    func shortReads() throws {
        let fixture = try FilesFixture()
        let files = try fixture.open()
        _ = try files.append(AuditEvent.samples(0..<5))
        let partition = try #require(try files.partitions().first?.partition)
        fixture.faulty.fail(.read, at: 1, times: 100_000, with: .short(bytes: 3))

        #expect(try files.read(partition, from: 1, maximumBytes: .max).events.decoded() == AuditEvent.samples(0..<5))
    }
}
