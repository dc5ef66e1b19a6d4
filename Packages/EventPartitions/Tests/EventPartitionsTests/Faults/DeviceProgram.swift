import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Synchronization

/// A fixed program that does everything event files can do, on a folder that other processes have left files in.
///
/// It goes on after every error, as an app does, and notes what it was promised.
final class DeviceProgram: Sendable {
    struct Notes {
        /// Events whose completion was called, and those that were durable before.
        var promised: [AuditEvent] = []
        /// Events that a server holds, which may be gone.
        var delivered: Set<AuditEvent> = []
        /// The roots of partitions that a server holds.
        var deliveredRoots: Set<Digest> = []
        /// How often a completion was called with an error.
        var errorCount = 0
        /// Blocks of journals whose append returned.
        var blocks: [[UInt8]] = []
    }

    /// Events of the files that were there before.
    private static let leftovers = (sealed: 100..<102, open: 110..<113, damaged: 120..<124)

    let fixture: DiskFixture
    private let state = Mutex(Notes())

    var notes: Notes { state.withLock(\.self) }

    /// The files of dead processes by their paths: a sealed one, one with a torn tail, and a damaged one.
    private static let images = Result { try makeImages(isEncrypted: false) }
    private static let encryptedImages = Result { try makeImages(isEncrypted: true) }

    private static func makeImages(isEncrypted: Bool) throws -> [String: [UInt8]] {
        let earlier = try DiskFixture(isEncrypted: isEncrypted)
        let ids = SequentialIds()
        var images: [String: [UInt8]] = [:]
        // All live until the end, or the next one that opens the folder would recover what the one before left.
        var living: [PartitionedEventFiles] = []
        for (range, isSealed, isDamaged) in [
            (Self.leftovers.sealed, true, false), (Self.leftovers.open, false, false),
            (Self.leftovers.damaged, false, true),
        ] {
            let files = try earlier.open(ids: ids)
            living.append(files)
            var ends: [Int] = []
            for number in range {
                _ = try files.append([.sample(number)])
                ends.append(try earlier.healthyPaths().last.flatMap { earlier.disk.contents(of: $0)?.count } ?? 0)
            }
            if isSealed { try files.seal() }
            for path in try earlier.healthyPaths() where images[path] == nil {
                var bytes = earlier.disk.contents(of: path) ?? []
                // The last byte of the second append belongs to its event.
                if isDamaged { bytes[ends[1] - 1] ^= 1 }
                if !isSealed, !isDamaged { bytes += bytes.suffix(20) }
                images[path] = bytes
            }
        }
        withExtendedLifetime(living) {}
        return images.merging(earlier.surroundings) { image, _ in image }
    }

    /// Puts the files of dead processes onto a new disk.
    init(isEncrypted: Bool = false) throws {
        let disk = InMemoryFileSystem()
        fixture = try DiskFixture(disk, isEncrypted: isEncrypted)
        let images = isEncrypted ? Self.encryptedImages : Self.images
        for (path, bytes) in try images.get() { disk.place(bytes, at: path) }
        disk.place(Array("stray".utf8), at: "\(fixture.folder.path)/notes.txt")
        state.withLock { notes in
            notes.promised += AuditEvent.samples(Self.leftovers.sealed) + AuditEvent.samples(Self.leftovers.open)
            notes.promised += AuditEvent.samples(Self.leftovers.damaged).filter { $0 != .sample(121) }
        }
    }

    /// Runs the program once, and once more in another process.
    func run() {
        for first in [0, 40] {
            guard let files = try? fixture.open(limits: PartitionLimits(partitionBytes: 700, eventBytes: 300)) else {
                count()
                continue
            }
            work(with: files, from: first)
            attempt { try files.close() }
        }
    }

    private func work(with files: PartitionedEventFiles, from first: Int) {
        for number in 0..<5 { append(first + number * 2..<first + number * 2 + 2, to: files) }
        attempt { _ = try files.append([.sample(999, data: [UInt8](repeating: 7, count: 400))]) }
        upload(from: files)
        journal(first)
        for number in 5..<8 { append(first + number * 2..<first + number * 2 + 2, to: files) }
        attempt { try files.seal() }
        append(first + 20..<first + 21, to: files)
    }

    private func append(_ numbers: Range<Int>, to files: PartitionedEventFiles) {
        let events = AuditEvent.samples(numbers)
        attempt {
            _ = try files.append(events)
            self.state.withLock { $0.promised += events }
        }
    }

    /// Uploads and deletes the oldest sealed partition, and half of the next one.
    private func upload(from files: PartitionedEventFiles) {
        attempt {
            let healthy = try files.partitions().filter { $0.quarantineReason == nil && $0.isSealed }
            for (number, summary) in healthy.prefix(2).enumerated() {
                var next: UInt64 = 1
                var events: [AuditEvent] = []
                while true {
                    let stretch = try files.read(summary.partition, from: next, maximumBytes: 100)
                    events += try stretch.events.decoded()
                    let isSealed = stretch.seal != nil
                    let proof = DurabilityProof(
                        partition: summary.partition,
                        durableThrough: stretch.lastSequence,
                        root: stretch.root,
                        isSealed: isSealed
                    )
                    let root = stretch.root
                    self.state.withLock { [events] notes in
                        // The server has them, whether this device can note it or not.
                        notes.delivered.formUnion(events)
                        if isSealed { notes.deliveredRoots.insert(root) }
                    }
                    try files.acknowledge(proof)
                    if isSealed { break }
                    if number == 1 { return }
                    next = stretch.lastSequence + 1
                }
                try files.delete(summary.partition)
            }
        }
    }

    private func journal(_ number: Int) {
        let journals = ScopeJournalFiles(
            fixture.folder,
            encryptionKey: fixture.encryptionKey,
            fileSystem: fixture.faulty
        )
        attempt {
            let journal = try journals.begin()
            for byte in 0..<3 {
                let block = [UInt8](repeating: UInt8(number + byte), count: 30)
                _ = try journal.append(block)
                self.state.withLock { $0.blocks.append(block) }
            }
        }
    }

    private func attempt(_ step: () throws -> Void) {
        do {
            try step()
        } catch {
            count()
        }
    }

    private func count() {
        state.withLock { $0.errorCount += 1 }
    }
}

/// Checks a disk after a run of the program, and says what is wrong in sentences.
struct DiskCheck {
    let notes: DeviceProgram.Notes
    var isEncrypted = false

    /// Opens the folder as the next process, which must seal everything, and looks at every file.
    func problems(on disk: InMemoryFileSystem, verifiesSignatures: Bool = true) throws -> [String] {
        let fixture = try DiskFixture(disk, isEncrypted: isEncrypted)
        let files = try fixture.open()
        _ = try files.append([.sample(9_000)])
        let summaries = try files.partitions()
        try files.close()
        var problems = summaries.filter { $0.quarantineReason?.contains("recovered yet") == true }
            .map { "\($0.partition) is not recovered: \($0.quarantineReason ?? "")" }
        let reports = try fixture.reports()
        problems += reports.flatMap { report in report.problems.map { "\(report.path): \($0)" } }
        problems += reports.filter { $0.seal == nil }.map { "\($0.path) is not sealed" }
        problems += try chainProblems(reports, in: fixture)
        problems += try eventProblems(fixture)
        return problems
    }

    private func chainProblems(_ reports: [PartitionVerification], in fixture: DiskFixture) throws -> [String] {
        var chains = PartitionChains<String>()
        let owner = fixture.folder.owner
        for report in reports {
            if let seal = report.seal { _ = chains.add(seal, of: owner, as: report.path) }
        }
        let aside = try fixture.paths().filter { $0.hasSuffix(".quarantined") }
            .compactMap { try fixture.verify($0).seal?.root }
        for root in notes.deliveredRoots.union(aside) { chains.settle(ChainName(owner: owner, root: root)) }
        return chains.gaps.map { "\($0.follower) follows a partition that is nowhere" }
    }

    private func eventProblems(_ fixture: DiskFixture) throws -> [String] {
        var counts: [AuditEvent: Int] = [:]
        for event in try fixture.storedEvents() { counts[event, default: 0] += 1 }
        let twice = counts.filter { $0.value > 1 }.map { "\($0.key.activity) is stored \($0.value) times" }
        let lost = (notes.promised + [.sample(9_000)])
            .filter { counts[$0] == nil && !notes.delivered.contains($0) }
            .map { "\($0.activity) is lost" }
        return twice + lost
    }
}
