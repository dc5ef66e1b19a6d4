import EventModel
import EventModelTesting
import EventPartitions
import EventPartitionsTesting
import EventProofs
import Testing

/// A device after a few lives of its processes, as somebody finds it who has its files in his hands.
///
/// Three partitions are sealed, one was uploaded and deleted, and one was left open by a process that was killed.
struct DeviceImage {
    /// The files as they were when three partitions were sealed, before the first of them was uploaded.
    let earlier: [String: [UInt8]]
    /// The files as they are.
    let files: [String: [UInt8]]
    /// The sealed partitions that are there, oldest first.
    let sealed: [PartitionID]
    /// The one that is gone, because a server has it.
    let uploaded: PartitionID
    /// The one that was not sealed.
    let open: PartitionID
    /// The files of each sealed partition before it was sealed.
    let unsealed: [PartitionID: [UInt8]]

    static let folder = "/data/realm-audit/app/user/ward"
    static let index = "/data/realm-audit/device.index"

    init(key: DeviceKey = FilesFixture.key) throws {
        let fixture = try DiskFixture(key: key)
        var unsealed: [PartitionID: [UInt8]] = [:]
        var sealed: [PartitionID] = []
        let first = try fixture.open()
        for number in 0..<4 {
            _ = try first.append(AuditEvent.samples(number * 10..<number * 10 + 3))
            let partition = try #require(first.partitions().last?.partition)
            unsealed[partition] = fixture.disk.contents(of: Self.path(partition))
            _ = try first.append(AuditEvent.samples(number * 10 + 3..<number * 10 + 5))
            try first.seal()
            sealed.append(partition)
        }
        try first.close()
        earlier = fixture.disk.allContents
        let second = try fixture.open()
        uploaded = sealed.removeFirst()
        _ = try second.upload(uploaded)
        try second.delete(uploaded)
        _ = try second.append(AuditEvent.samples(100..<103))
        open = try #require(second.partitions().last?.partition)
        files = fixture.disk.afterPowerCut(.losesNothing).allContents
        self.sealed = sealed
        self.unsealed = unsealed
        withExtendedLifetime(second) {}
    }

    /// The path of a partition's file.
    static func path(_ partition: PartitionID, _ ending: String = "events") -> String {
        "\(folder)/\(partition.id).\(ending)"
    }

    /// Puts files onto a disk of their own.
    static func place(_ files: [String: [UInt8]], key: DeviceKey = FilesFixture.key) throws -> DiskFixture {
        let disk = InMemoryFileSystem()
        let fixture = try DiskFixture(disk, key: key)
        for (path, bytes) in files {
            try disk.makeDirectory(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
            disk.place(bytes, at: path)
        }
        return fixture
    }
}

extension DiskFixture {
    /// What `daybook verify --files` finds that is not as it was left.
    func audit() throws -> [PartitionFinding] {
        var audit = IndexAudit(below: "/data", in: disk)
        for path in try paths() { audit.add(try verify(path)) }
        return try audit.finish().flatMap(\.findings)
    }

    /// What is wrong inside of the files.
    func problems() throws -> [PartitionError] {
        try paths().flatMap { try verify($0).problems }
    }
}
