import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Synchronization

/// Event files on a disk in memory, with everything that they report.
struct DiskFixture {
    let disk: InMemoryFileSystem
    let faulty: FaultInjectingFileSystem
    let folder: EventFolder
    let log = NoticeLog()

    /// Creates the fixture on a disk, an empty one by default.
    init(_ disk: InMemoryFileSystem = InMemoryFileSystem()) throws {
        self.disk = disk
        faulty = FaultInjectingFileSystem(disk, passesSyncs: true)
        folder = try EventFolder(root: "/data", appID: "app", userID: "user", prefix: "ward")
        try disk.makeDirectory(folder.path)
    }

    /// Opens the folder as another process would.
    func open(
        limits: PartitionLimits = PartitionLimits(),
        clock: any EventClock = ManualClock(),
        ids: any ObjectIdSource = ObjectIdGenerator.system
    ) throws -> PartitionedEventFiles {
        try PartitionedEventFiles(
            folder,
            limits: limits,
            key: FilesFixture.key,
            fileSystem: faulty,
            clock: clock,
            ids: ids,
            notices: { [log] in log.add($0) }
        )
    }

    /// The paths of the partition files, those that are kept aside included.
    func paths() throws -> [String] { try PartitionFiles.find(below: "/data", in: disk) }

    /// The paths of the partition files that are not kept aside.
    func healthyPaths() throws -> [String] { try paths().filter { $0.hasSuffix(".events") } }

    /// Reads and checks every healthy file.
    func reports() throws -> [PartitionVerification] {
        try healthyPaths().map { try PartitionFiles.verify($0, in: disk) }
    }

    /// Reads all events of the healthy files, in the order of the files.
    func storedEvents() throws -> [AuditEvent] {
        try healthyPaths().flatMap { try Self.events($0, in: disk) }
    }

    /// Reads all events of a file, leaving out what is damaged.
    static func events(_ path: String, in fileSystem: any FileSystem) throws -> [AuditEvent] {
        var reader = try PartitionFileReader(path, in: fileSystem)
        var events: [AuditEvent] = []
        while true {
            do throws(PartitionError) {
                guard let stored = try reader.next() else { return events }
                events.append(stored.event)
            } catch {
                guard case .damaged = error else { throw error }
            }
        }
    }
}

/// Everything that event files reported.
final class NoticeLog: Sendable {
    private let state = Mutex<[PartitionNotice]>([])

    var notices: [PartitionNotice] { state.withLock(\.self) }

    func add(_ notice: PartitionNotice) {
        state.withLock { $0.append(notice) }
    }
}
