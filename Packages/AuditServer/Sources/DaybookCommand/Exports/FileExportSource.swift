import AuditArchives
import AuditExport
import AuditHTTP
import AuditModel
import AuditVerifying
import EventModel
import EventPartitions
import EventProofs

/// The events of the files of a device, which their seals prove.
final class FileExportSource: ExportSource {
    /// How many events are handed on at once.
    private static let pageEvents = 500

    private let archive: FileEventArchive
    private let filter: EventFilter
    private var files: [PartitionVerification]?
    /// The leaf hashes of the events that were exported, as one may lie in two files because its sync failed.
    private var seen: Set<Digest> = []
    /// The leaf hashes of the partition that is being exported.
    private var leaves: (partition: PartitionID, hashes: [Digest])?

    /// Reads from files.
    init(_ archive: FileEventArchive, _ filter: EventFilter) {
        self.archive = archive
        self.filter = filter
    }

    /// Verifies the files; one with a problem proves nothing, so that it is thrown.
    ///
    /// Of a partition that lies in several files, the one with the most events counts.
    private func verified() throws -> [PartitionVerification] {
        if let files { return files }
        var best: [PartitionID: PartitionVerification] = [:]
        for path in try PartitionFiles.find(below: archive.directory) {
            let found = try PartitionFiles.verify(path, encryptionKey: archive.encryptionKey)
            if let filtered = filter.partition, filtered != found.partition { continue }
            if let device = filter.device, device != found.seal?.publicKey { continue }
            if let problem = found.problems.first { throw problem }
            if found.eventCount > best[found.partition]?.eventCount ?? 0 { best[found.partition] = found }
        }
        let sorted = best.values.sorted { $0.partition < $1.partition }
        files = sorted
        return sorted
    }

    func eventCount() async throws -> UInt64 { try verified().reduce(0) { $0 + $1.eventCount } }

    func partitions(_ body: (ExportedPartition) async throws -> Void) async throws {
        for file in try verified() {
            try await body(
                ExportedPartition(
                    partition: file.partition,
                    owner: nil,
                    count: file.eventCount,
                    root: file.root,
                    seal: file.seal
                )
            )
        }
    }

    func events(
        of partition: ExportedPartition,
        _ body: ([StoredEvent]) async throws -> Void
    ) async throws {
        var reader = try reader(of: partition.partition)
        var page: [StoredEvent] = []
        while let found = try reader.next(), found.sequence <= partition.count {
            let stored = StoredEvent(
                partition: found.partition,
                sequence: found.sequence,
                owner: nil,
                event: found.event,
                leaf: found.leaf,
                received: nil
            )
            if seen.insert(found.leaf).inserted, filter.matches(stored) { page.append(stored) }
            if page.count == Self.pageEvents {
                try await body(page)
                page.removeAll(keepingCapacity: true)
            }
        }
        if !page.isEmpty { try await body(page) }
    }

    func leaves(of partition: ExportedPartition, _ sequences: ClosedRange<UInt64>) async throws -> [Digest] {
        if leaves?.partition != partition.partition {
            var hashes: [Digest] = []
            var reader = try reader(of: partition.partition)
            while let found = try reader.next(), found.sequence <= partition.count { hashes.append(found.leaf) }
            leaves = (partition.partition, hashes)
        }
        let hashes = leaves?.hashes ?? []
        let range = Int(sequences.lowerBound - 1)..<Int(sequences.upperBound)
        return Array(hashes[range.clamped(to: hashes.indices)])
    }

    func timeStamp(of entries: [UInt64]) async throws -> ExportedTimeStamp? { nil }

    private func reader(of partition: PartitionID) throws -> PartitionFileReader {
        guard let file = try verified().first(where: { $0.partition == partition }) else {
            throw CommandError.unreadable(path: archive.directory, reason: "a file of it went away")
        }
        return try PartitionFileReader(file.path, encryptionKey: archive.encryptionKey)
    }
}
