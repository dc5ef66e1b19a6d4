import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Testing

/// A folder with event files for one test; every instance in it signs with the same key and knows one user.
struct FilesFixture {
    static let key = DeviceKey()

    let temporary: TestFolder
    let folder: EventFolder
    let faulty: FaultInjectingFileSystem

    init(passesSyncs: Bool = false) throws {
        faulty = FaultInjectingFileSystem(POSIXFileSystem(), passesSyncs: passesSyncs)
        temporary = try TestFolder.made()
        folder = try EventFolder(root: temporary.path, appID: "app", userID: "user", prefix: "ward")
    }

    /// Opens the folder as another process would.
    func open(
        limits: PartitionLimits = PartitionLimits(),
        policy: StoragePolicy = StoragePolicy(),
        encryptionKey: EventEncryptionKey? = nil,
        clock: any EventClock = SystemClock(),
        timer: any EventTimer = ManualTimer(),
        errorHandler: (@Sendable (any Error) -> Void)? = nil
    ) throws -> PartitionedEventFiles {
        try PartitionedEventFiles(
            folder,
            limits: limits,
            policy: policy,
            key: Self.key,
            encryptionKey: encryptionKey,
            fileSystem: faulty,
            clock: clock,
            timer: timer,
            errorHandler: errorHandler
        )
    }

    /// The paths of the partition files.
    func paths() throws -> [String] {
        try PartitionFiles.find(below: temporary.path)
    }

    /// What an auditor learns about the only file.
    func onlyReport() throws -> PartitionVerification {
        let paths = try paths()
        try #require(paths.count == 1)
        return try PartitionFiles.verify(paths[0])
    }

    /// The path of a partition's file.
    func path(of partition: PartitionID) -> String { "\(folder.path)/\(partition.id).events" }

    /// Reads all events that can be read of all files, in the order of the files.
    func storedEvents() throws -> [AuditEvent] {
        try paths().flatMap { try Self.events($0) }
    }

    /// Reads all events of a file, leaving out what is damaged.
    static func events(_ path: String) throws -> [AuditEvent] {
        var reader = try PartitionFileReader(path)
        var events: [AuditEvent] = []
        var isAtEnd = false
        while !isAtEnd {
            do throws(PartitionError) {
                let stored = try reader.next()
                if let stored { events.append(stored.event) }
                isAtEnd = stored == nil
            } catch {
                guard case .damaged = error else { throw error }
            }
        }
        return events
    }
}

extension AuditEvent {
    /// An event that its number makes unique.
    static func sample(_ number: Int, data: [UInt8]? = nil) -> AuditEvent {
        AuditEvent(
            id: ObjectId(high: 7, low: UInt32(number)),
            clock: ClockReading(
                wall: EventInstant(microseconds: Int64(number)),
                monotonicNanoseconds: UInt64(number),
                boot: Boot(high: 1, low: 2)
            ),
            activity: "e\(number)",
            event: "r",
            data: data ?? Array("d\(number)".utf8)
        )
    }

    static func samples(_ numbers: Range<Int>) -> [AuditEvent] { numbers.map { sample($0) } }
}

extension PartitionSource {
    /// Uploads a partition to a server that keeps everything, and returns its events.
    func upload(_ partition: PartitionID, maximumBytes: Int = 200) throws -> [AuditEvent] {
        var events: [AuditEvent] = []
        var next: UInt64 = 1
        while true {
            let stretch = try read(partition, from: next, maximumBytes: maximumBytes)
            events += try stretch.events.decoded()
            try acknowledge(
                DurabilityProof(
                    partition: partition,
                    durableThrough: stretch.lastSequence,
                    root: stretch.root,
                    isSealed: stretch.seal != nil
                )
            )
            next = stretch.lastSequence + 1
            if stretch.seal != nil || stretch.events.isEmpty { return events }
        }
    }
}
