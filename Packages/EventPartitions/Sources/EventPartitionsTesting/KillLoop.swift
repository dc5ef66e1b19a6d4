#if os(Linux) || os(macOS)
import EventModel
import EventModelTesting
import EventPartitions
import EventProofs

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Processes that append events and are killed at random moments, and a check after each of what they left.
///
/// Copies of the calling process do the appending, so it must have no thread in the middle of something: a program of its
/// own, or the process of an exit test. Every number is drawn from the seed; the moment of a kill also depends on how fast
/// the machine is just then.
public struct KillLoop {
    /// What a run did.
    public struct Summary: Sendable, Hashable {
        /// How many processes were killed.
        public internal(set) var killedProcesses = 0
        /// How many events had their completion called before the kill.
        public internal(set) var promisedEvents = 0
        /// How many events were found although no completion had said that they are durable.
        public internal(set) var furtherEvents = 0
        /// How many partitions were verified.
        public internal(set) var verifiedPartitions = 0
    }

    private let folder: EventFolder
    private let key = DeviceKey()
    private let syncs: Bool
    private var random: SeededGenerator
    private var promised: Set<ObjectId> = []
    private var processCount: UInt32 = 0
    private var summary = Summary()
    /// All partitions that were ever found sealed.
    private var chains = PartitionChains<PartitionID>()

    /// Names the place of the files.
    ///
    /// - Parameters:
    ///   - root: An absolute path of an empty folder.
    ///   - seed: Decides how many processes append what, and when they are killed.
    ///   - syncs: Whether syncs reach the disk. A kill does not need them, and most of the time would go there.
    /// - Throws: ``/EventPartitions/PartitionError`` when the root cannot be used.
    public init(root: String, seed: UInt64, syncs: Bool = false) throws {
        folder = try EventFolder(root: root, appID: "app", userID: "user", prefix: "kill")
        random = SeededGenerator(seed: seed)
        self.syncs = syncs
    }

    /// Kills processes and checks what they leave.
    ///
    /// - Parameters:
    ///   - count: How many processes to kill at least.
    ///   - progress: Called after each check with what was done so far.
    /// - Returns: What was done.
    /// - Throws: ``KillLoopError`` with the first thing that is wrong, and what the event files throw.
    public mutating func run(count: Int, progress: (Summary) -> Void = { _ in }) throws -> Summary {
        while summary.killedProcesses < count {
            // Several processes die before somebody looks, so that recovery is killed as well.
            for _ in 0..<Int.random(in: 1...4, using: &random) { try killSome() }
            try check()
            progress(summary)
        }
        return summary
    }

    /// Starts one process or two on the same folder, and kills them.
    private mutating func killSome() throws {
        var copies: [(number: UInt32, copy: ProcessCopy)] = []
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            processCount += 1
            let number = processCount
            let seed = random.next()
            let work = AppendingProcess(folder: folder, key: key, syncs: syncs, number: number, seed: seed)
            copies.append((number, try ProcessCopy { report in try work.run(report) }))
        }
        for (number, copy) in copies {
            // Some die before the first event, some in a recovery, some after a few roll-overs.
            let awaited = Int.random(in: 0...50, using: &random)
            var reports: [UInt32] = []
            while reports.count < awaited, let report = copy.next() { reports.append(report) }
            copy.spin(UInt64.random(in: 0...400_000, using: &random))
            let (wasKilled, rest) = copy.kill()
            guard wasKilled else { throw KillLoopError(description: "A process ended by itself; its error is above.") }
            for report in reports + rest {
                promised.insert(AppendingProcess.id(process: number, event: report))
            }
            summary.killedProcesses += 1
        }
    }

    /// Recovers what the dead have left, as the next process does, and looks at everything.
    private mutating func check() throws {
        let files = try PartitionedEventFiles(
            folder,
            key: key,
            fileSystem: FaultInjectingFileSystem(POSIXFileSystem(), passesSyncs: syncs)
        )
        var found: Set<ObjectId> = []
        for partition in try files.partitions() {
            guard partition.quarantineReason == nil, partition.isSealed else {
                let reason = partition.quarantineReason ?? "It is not sealed."
                throw KillLoopError(description: "\(partition.partition) was not recovered. \(reason)")
            }
            let report = try PartitionFiles.verify("\(folder.path)/\(partition.partition.id).events")
            if let problem = report.problems.first {
                throw KillLoopError(description: "\(partition.partition) does not verify. \(problem)")
            }
            if let seal = report.seal { _ = chains.add(seal, of: folder.owner, as: partition.partition) }
            try deliver(partition.partition, of: files, into: &found)
            summary.verifiedPartitions += 1
        }
        if let gap = chains.gaps.first {
            throw KillLoopError(description: "\(gap.follower) follows a partition that is nowhere.")
        }
        guard found.isSuperset(of: promised) else {
            let lost = promised.subtracting(found).count
            throw KillLoopError(description: "\(lost) events are lost whose completion had been called.")
        }
        summary.promisedEvents += promised.count
        summary.furtherEvents += found.count - promised.count
        promised = []
        try files.close()
    }

    /// Reads a partition as an upload does, proves it, and deletes it.
    private func deliver(
        _ partition: PartitionID,
        of files: PartitionedEventFiles,
        into found: inout Set<ObjectId>
    ) throws {
        let stretch = try files.read(partition, from: 1, maximumBytes: .max)
        for event in try stretch.events.decoded() {
            guard event.data == AppendingProcess.data(of: event.id) else {
                throw KillLoopError(description: "The event \(event.id) is not the one that was appended.")
            }
            guard found.insert(event.id).inserted else {
                throw KillLoopError(description: "The event \(event.id) is stored twice.")
            }
        }
        try files.acknowledge(
            DurabilityProof(
                partition: partition,
                durableThrough: stretch.lastSequence,
                root: stretch.root,
                isSealed: stretch.seal != nil
            )
        )
        try files.delete(partition)
    }
}

/// What a loop of kills found wrong.
public struct KillLoopError: Error, Sendable, CustomStringConvertible {
    /// A sentence.
    public let description: String

    package init(description: String) {
        self.description = description
    }
}

/// What a process does until it is killed.
private struct AppendingProcess {
    let folder: EventFolder
    let key: DeviceKey
    let syncs: Bool
    let number: UInt32
    let seed: UInt64

    static func id(process: UInt32, event: UInt32) -> ObjectId { ObjectId(high: UInt64(process), low: event) }

    /// The payload of an event, which its id decides.
    static func data(of id: ObjectId) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: id.low), count: Int(id.low % 90))
    }

    func run(_ report: (UInt32) -> Void) throws {
        var random = SeededGenerator(seed: seed)
        let files = try PartitionedEventFiles(
            folder,
            limits: PartitionLimits(partitionBytes: 3000),
            key: key,
            fileSystem: FaultInjectingFileSystem(POSIXFileSystem(), passesSyncs: syncs),
            // The generator of the system was made before the process was copied, and gives every copy the same ids.
            ids: ObjectIdGenerator(clock: SystemClock(), seed: random.next())
        )
        var event: UInt32 = 0
        while true {
            let batch = (0..<UInt32.random(in: 1...4, using: &random)).map { event + $0 }
            event += UInt32(batch.count)
            _ = try files.append(batch.map(self.event))
            for number in batch { report(number) }
            if random.next() % 16 == 0 { _ = try files.partitions() }
        }
    }

    private func event(_ event: UInt32) -> AuditEvent {
        let id = Self.id(process: number, event: event)
        return AuditEvent(id: id, clock: SystemClock().now(), activity: "killed", data: Self.data(of: id))
    }
}
#endif
