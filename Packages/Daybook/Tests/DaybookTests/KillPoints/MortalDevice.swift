import Daybook
import EventModelTesting
import EventPartitionsTesting
import EventRecordingTesting
import Synchronization

/// A device with one disk, on which one process after the other records, uploads and is killed in front of a call.
final class MortalDevice: Sendable {
    struct State {
        /// What the server holds, by partition and sequence: it keeps what it was sent, whether or not its answer arrived.
        var server: [PartitionID: [AuditEvent]] = [:]
        /// What the user did whose completion was called without an error.
        var promised: Set<String> = []
        /// Writes that are durable, in each scope that was open.
        var written: Set<String> = []
        /// What was cancelled before the process died.
        var cancelled: Set<String> = []
    }

    let disk = InMemoryFileSystem()
    let folder: EventFolder
    /// What the file of the realm keeps; its transactions are as durable as those of SQLite.
    let notes = InMemoryCommitNotes()
    let realm = "/data/chart.realm"
    let clock = ManualClock()
    /// The ids of all processes, so that no two of them give the same one.
    let ids = SequentialIds()
    private let key = DeviceKey()
    let state = Mutex(State())

    init() throws {
        folder = try EventFolder(root: "/data", appID: "app", userID: "user", prefix: "ward")
        try disk.makeDirectory(folder.path)
        disk.place([], at: realm)
    }

    /// Opens the files as the process of a file system does.
    func openFiles(_ fileSystem: FaultInjectingFileSystem) throws -> PartitionedEventFiles {
        try PartitionedEventFiles(
            folder,
            limits: PartitionLimits(partitionBytes: 700),
            key: key,
            fileSystem: fileSystem,
            clock: clock,
            ids: ids
        )
    }

    /// Sends every sealed partition to the server and deletes it, as the upload does.
    func upload(from files: PartitionedEventFiles) throws {
        for summary in try files.partitions() where summary.isSealed && summary.quarantineReason == nil {
            let stretch = try files.read(summary.partition, from: 1, maximumBytes: .max)
            let events = try stretch.events.decoded()
            state.withLock { $0.server[summary.partition] = events }
            try files.acknowledge(
                DurabilityProof(
                    partition: summary.partition,
                    durableThrough: stretch.lastSequence,
                    root: stretch.root,
                    isSealed: stretch.seal != nil
                )
            )
            try files.delete(summary.partition)
        }
    }

    /// Lets another process, which records nothing, upload and delete all that dead ones have left.
    func uploadLeftovers() throws {
        let files = try openFiles(FaultInjectingFileSystem(disk, passesSyncs: true))
        try upload(from: files)
        // Looking once more removes the notes that nobody needs any more.
        _ = try files.partitions()
        try files.close()
    }

    /// Says which files are left in the folder that nobody needs when everything is uploaded, in sentences.
    var leftovers: [String] {
        disk.allContents.keys
            .filter { path in
                [".events", ".journal", ".deleted", ".quarantined"].contains { path.hasSuffix($0) }
            }
            .sorted().map { "\($0) is left" } + (notes.notes.isEmpty ? [] : ["\(notes.notes.count) notes are left"])
    }

    /// Says what is wrong with what the server has in the end, in sentences.
    var problems: [String] {
        let state = state.withLock(\.self)
        let events = state.server.sorted { $0.key < $1.key }.flatMap(\.value)
        let texts = events.map { "\($0.activity) \($0.dataText ?? "nil")" }
        let counts = texts.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        let ids = events.reduce(into: [ObjectId: Int]()) { $0[$1.id, default: 0] += 1 }
        return counts.filter { $0.value > 1 }.map { "'\($0.key)' is stored \($0.value) times" }.sorted()
            + ids.filter { $0.value > 1 }.map { "the id \($0.key) is stored \($0.value) times" }.sorted()
            + state.promised.subtracting(texts).map { "'\($0)' was promised and is lost" }.sorted()
            + state.written.subtracting(texts).map { "'\($0)' is durable and no event" }.sorted()
            + state.cancelled.intersection(texts).map { "'\($0)' was cancelled and is stored" }.sorted()
    }
}
