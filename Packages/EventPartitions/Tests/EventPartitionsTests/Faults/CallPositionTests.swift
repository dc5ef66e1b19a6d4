import EventModel
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Foundation
import Synchronization
import Testing

@Suite("Event files when any call of the file system fails")
struct CallPositionTests {
    typealias Fault = FaultInjectingFileSystem.Fault

    /// What each kind of call can do instead of its work.
    private static func faults(of operation: FileSystemError.Operation) -> [Fault] {
        switch operation {
        case .write:
            [
                .error(ENOSPC), .error(EDQUOT), .error(EIO), .short(bytes: 1),
                .tornWrite(bytes: 0, code: EIO), .tornWrite(bytes: 45, code: ENOSPC),
            ]
        case .synchronize: [.error(EIO), .error(ENOSPC), .error(EDQUOT)]
        case .open: [.error(EACCES), .error(EMFILE)]
        case .read: [.error(EIO), .short(bytes: 3)]
        case .makeDirectory: [.error(ENOSPC), .error(EACCES)]
        case .lock: [.error(ENOLCK)]
        case .status, .list, .rename, .remove, .syncDirectory, .size, .truncate: [.error(EIO)]
        }
    }

    /// Which of the ways a call fails in; drawn for each run of the tests, so that all come up in time.
    ///
    /// `DAYBOOK_FAULT_SEED` repeats a run.
    private static let seed: Int = {
        let seed = ProcessInfo.processInfo.environment["DAYBOOK_FAULT_SEED"].flatMap { Int($0) } ?? .random(in: 0..<6)
        print("DAYBOOK_FAULT_SEED=\(seed)")
        return seed
    }()

    /// The calls of the program when nothing fails.
    private static func calls(isEncrypted: Bool) throws -> [FileSystemError.Operation] {
        let program = try DeviceProgram(isEncrypted: isEncrypted)
        let log = CallLog()
        program.fixture.faulty.observe { _, operation in log.add(operation) }
        program.run()
        #expect(program.notes.errorCount == 0)
        let check = DiskCheck(notes: program.notes, isEncrypted: isEncrypted)
        #expect(try check.problems(on: program.fixture.disk) == [])
        return log.operations
    }

    @Test(
        "each call fails once: nothing promised is lost, nothing is stored twice, and all goes on",
        arguments: 0..<4
    )
    func everyCall(part: Int) throws {
        // Whether the files are encrypted changes with the seed, too.
        let isEncrypted = (part + Self.seed) % 2 == 0
        let calls = try Self.calls(isEncrypted: isEncrypted)
        #expect(calls.count > 200)
        #expect(Set(calls).count == FileSystemError.Operation.allCases.count)
        for (index, operation) in calls.enumerated() where index % 4 == part {
            let faults = Self.faults(of: operation)
            let fault = faults[(index / 4 + Self.seed) % faults.count]
            let program = try DeviceProgram(isEncrypted: isEncrypted)
            program.fixture.faulty.fail(call: index + 1, with: fault)

            program.run()

            let check = DiskCheck(notes: program.notes, isEncrypted: isEncrypted)
            let problems = try check.problems(on: program.fixture.disk)
            #expect(problems == [], "call \(index + 1), \(operation.rawValue), \(fault)")
            if case .short = fault { #expect(program.notes.errorCount == 0) }
        }
    }

    @Test(
        "a disk that fails from some call on and then works again takes every later event",
        arguments: [ENOSPC, EIO, EACCES]
    )
    func outage(code: Int32) throws {
        for first in stride(from: 1, to: 40, by: 3) {
            let fixture = try DiskFixture()
            let files = try fixture.open()
            for operation in [FileSystemError.Operation.write, .synchronize, .open, .truncate, .remove, .rename] {
                fixture.faulty.fail(operation, at: max(1, first / 4), times: 10_000, with: .error(code))
            }
            var promised: [AuditEvent] = []
            for number in 0..<12 {
                guard case .success = Result(catching: { try files.append([.sample(number)]) }) else { continue }
                promised.append(.sample(number))
            }
            #expect(promised.count < 12)
            fixture.faulty.heal()

            _ = try files.append([.sample(50)])
            let summaries = try files.partitions()
            try files.close()

            #expect(summaries.allSatisfy { $0.quarantineReason == nil })
            #expect(try fixture.reports().flatMap(\.problems) == [])
            #expect(try fixture.storedEvents() == promised + [.sample(50)])
        }
    }

    @Test("after a failed sync the file is never synced again, and nothing behind the last good sync is believed")
    func failedSync() throws {
        let fixture = try DiskFixture()
        let files = try fixture.open()
        _ = try files.append([.sample(0)])
        let path = try #require(try fixture.healthyPaths().first)
        let durable = try #require(fixture.disk.contents(of: path))
        fixture.faulty.fail(.synchronize, at: 1, with: .error(EIO))
        // The bytes of the failed sync cannot even be cut off.
        fixture.faulty.fail(.truncate, at: 1, with: .error(EIO))

        #expect(throws: PartitionError.self) { try files.append([.sample(1)]) }

        #expect(try #require(fixture.disk.contents(of: path)).count > durable.count)
        #expect(fixture.log.notices.contains { if case .abandoned(path, _) = $0 { true } else { false } })
        _ = try files.append([.sample(2)])
        #expect(try files.partitions().map(\.count) == [1, 1])
        #expect(try fixture.healthyPaths().count == 2)
        #expect(try fixture.storedEvents() == [.sample(0), .sample(2)])
    }

    @Test("on a full disk the upload can still note proofs and delete")
    func fullDiskUpload() throws {
        let fixture = try DiskFixture()
        let files = try fixture.open()
        _ = try files.append([.sample(0)])
        try files.seal()
        let partition = try #require(try files.partitions().first?.partition)
        fixture.faulty.fail(.write, at: 1, times: 1000, with: .error(ENOSPC))

        #expect(try files.upload(partition) == [.sample(0)])
        try files.delete(partition)

        #expect(try fixture.paths() == [])
        let isTold = fixture.log.notices.contains { if case .acknowledgementNotStored = $0 { true } else { false } }
        #expect(isTold)
    }
}

/// The operations of calls, in order.
private final class CallLog: Sendable {
    private let state = Mutex<[FileSystemError.Operation]>([])

    var operations: [FileSystemError.Operation] { state.withLock(\.self) }

    func add(_ operation: FileSystemError.Operation) {
        state.withLock { $0.append(operation) }
    }
}
