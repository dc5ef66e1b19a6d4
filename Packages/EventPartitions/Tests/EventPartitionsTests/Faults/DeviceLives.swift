import EventModel
import EventModelTesting
import EventPartitionsTesting
import EventProofs

@testable import EventPartitions

/// A device on which processes come and go, as a seed draws it: they append, upload, are killed, lose power, and fill the disk.
///
/// Nobody touches the files but they, so nothing may be reported to be missing, changed or unknown.
struct DeviceLives {
    private var random: SeededGenerator
    private var disk = InMemoryFileSystem()
    private let ids = SequentialIds()
    private var notes = DeviceProgram.Notes()
    private var eventCount = 0
    /// What was reported that is not so, in sentences.
    private(set) var alarms: [String] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// Plays the life of one process, from its start to its end of whatever kind.
    mutating func live() throws {
        let fixture = try DiskFixture(disk)
        disk.isFull = random.once(in: 5)
        if random.once(in: 2) { fixture.faulty.die(atCall: Int.random(in: 1...200, using: &random)) }
        do {
            try work(in: fixture)
        } catch {
            // It is dead, or the disk is full: the next one goes on.
        }
        fixture.faulty.bury()
        alarms += fixture.errors.findings.map(\.description)
        for case .strays(_, let files) in fixture.log.notices { alarms.append("\(files) are reported as strays") }
        let seed = random.next()
        disk = disk.afterPowerCut(random.once(in: 2) ? .losesNothing : .losesSome(seed: seed))
    }

    /// Says what is wrong at the end, when a last process has opened the folder.
    mutating func problems() throws -> [String] {
        disk.isFull = false
        let fixture = try DiskFixture(disk)
        var problems = try DiskCheck(notes: notes).problems(on: disk)
        problems += try fixture.audit().map { "verify finds: \($0)" }
        return alarms + problems
    }

    private mutating func work(in fixture: DiskFixture) throws {
        let timer = ManualTimer()
        let limits = PartitionLimits(partitionBytes: 1500)
        var instances = [try fixture.open(limits: limits, ids: ids, timer: timer)]
        for _ in 0..<Int.random(in: 1...25, using: &random) {
            let files = instances[Int.random(in: instances.indices, using: &random)]
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<5: try append(to: files)
            case 5: try files.seal()
            case 6, 7: try deliver(from: files)
            case 8:
                let loss = LossEntry(reason: .writeFailed, count: 1, noticed: EventInstant(microseconds: 1))
                files.note([loss])
                files.enterLosses()
            case 9:
                timer.advance(nanoseconds: 3_000_000_000)
                for files in instances { files.waitUntilSynced() }
            case 10 where instances.count < 3:
                instances.append(try fixture.open(limits: limits, ids: ids, timer: timer))
            case 11: disk.isFull.toggle()
            default: _ = try files.partitions()
            }
        }
        if random.once(in: 2) { for files in instances { try files.close() } }
        withExtendedLifetime(instances) {}
    }

    private mutating func append(to files: PartitionedEventFiles) throws {
        let first = eventCount
        eventCount += Int.random(in: 1...3, using: &random)
        let events = AuditEvent.samples(first..<eventCount)
        do {
            _ = try files.append(events)
            notes.promised += events
        } catch {
            // A full disk keeps nobody from going on.
            guard disk.isFull else { throw error }
        }
    }

    /// Uploads the oldest sealed partition to a server that keeps everything, and deletes it.
    private mutating func deliver(from files: PartitionedEventFiles) throws {
        let healthy = try files.partitions().first { $0.quarantineReason == nil && $0.isSealed }
        guard let partition = healthy?.partition else { return }
        let stretch = try files.read(partition, from: 1, maximumBytes: .max)
        // The server has them, whether this device can note it or not.
        notes.delivered.formUnion(try stretch.events.decoded())
        notes.deliveredRoots.insert(stretch.root)
        let proof = DurabilityProof(
            partition: partition,
            durableThrough: stretch.lastSequence,
            root: stretch.root,
            isSealed: stretch.seal != nil
        )
        try files.acknowledge(proof)
        try files.delete(partition)
    }
}
