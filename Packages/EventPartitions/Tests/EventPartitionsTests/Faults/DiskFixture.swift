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
    let errors = ErrorLog()
    /// What events are encrypted with; nil leaves them plain.
    let encryptionKey: EventEncryptionKey?
    /// The key that signs.
    let key: DeviceKey

    /// Creates the fixture on a disk, an empty one by default.
    init(
        _ disk: InMemoryFileSystem = InMemoryFileSystem(),
        isEncrypted: Bool = false,
        key: DeviceKey = FilesFixture.key
    ) throws {
        self.disk = disk
        self.key = key
        encryptionKey = isEncrypted ? try EventEncryptionKey((0..<32).map { UInt8(7 * $0) }) : nil
        faulty = FaultInjectingFileSystem(disk, passesSyncs: true)
        folder = try EventFolder(root: "/data", appID: "app", userID: "user", prefix: "ward")
        try disk.makeDirectory(folder.path)
    }

    /// Opens the folder as another process would.
    func open(
        limits: PartitionLimits = PartitionLimits(),
        policy: StoragePolicy = StoragePolicy(),
        clock: any EventClock = ManualClock(),
        ids: any ObjectIdSource = ObjectIdGenerator.system,
        timer: any EventTimer = ManualTimer(),
        program: String = "ward 1"
    ) throws -> PartitionedEventFiles {
        try PartitionedEventFiles(
            folder,
            limits: limits,
            policy: policy,
            key: key,
            encryptionKey: encryptionKey,
            fileSystem: faulty,
            clock: clock,
            ids: ids,
            timer: timer,
            program: program,
            notices: { [log] in log.add($0) },
            errorHandler: { [errors] in errors.add($0) }
        )
    }

    /// What lies beside partition files and belongs to them: the device's index, and the note of which index the folder has.
    var surroundings: [String: [UInt8]] {
        let paths = ["/data/realm-audit/device.index", "\(folder.path)/.lock"]
        return Dictionary(uniqueKeysWithValues: paths.map { ($0, disk.contents(of: $0) ?? []) })
    }

    /// The paths of the partition files, those that are kept aside included.
    func paths() throws -> [String] { try PartitionFiles.find(below: "/data", in: disk) }

    /// The paths of the partition files that are not kept aside.
    func healthyPaths() throws -> [String] { try paths().filter { $0.hasSuffix(".events") } }

    /// Reads and checks every healthy file.
    func reports() throws -> [PartitionVerification] {
        try healthyPaths().map(verify)
    }

    /// Reads all events of the healthy files, in the order of the files.
    func storedEvents() throws -> [AuditEvent] {
        try healthyPaths().flatMap(events)
    }

    /// Checks a file.
    func verify(_ path: String) throws -> PartitionVerification {
        try PartitionFiles.verify(path, encryptionKey: encryptionKey, in: disk)
    }

    /// Reads all events of a file, leaving out what is damaged.
    func events(_ path: String) throws -> [AuditEvent] {
        var reader = try PartitionFileReader(path, encryptionKey: encryptionKey, in: disk)
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

/// Everything that event files gave to the error handler.
final class ErrorLog: Sendable {
    private let state = Mutex<[any Error]>([])

    var errors: [any Error] { state.withLock(\.self) }

    /// What was found that is not as it was sealed.
    var findings: [PartitionFinding] {
        errors.compactMap { error in
            if case PartitionError.notAsSealed(let finding) = error { finding } else { nil }
        }
    }

    func add(_ error: any Error) {
        state.withLock { $0.append(error) }
    }
}
