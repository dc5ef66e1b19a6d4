import AuditModel
import EventModel

/// Which partitions of the trail are open, so that the next process seals what one that died has left: a partition in each line.
///
/// ```swift
/// let file = TrailFile("/srv/daybook/trail.open")
/// ```
package struct TrailFile: Sendable {
    /// How many partitions are remembered; of more, the oldest are forgotten.
    static let maximumPartitions = 16

    private let path: String

    /// Names the file, which one process at a time writes; it is made when the first partition is opened.
    package init(_ path: String) {
        self.path = path
    }

    /// Reads the partitions; a line that names none is passed over.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when the file cannot be read.
    func partitions() throws(AuditServerError) -> [PartitionID] {
        guard let bytes = try PrivateFile.read(path) else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).suffix(Self.maximumPartitions)
            .compactMap { line in
                // A line that is damaged names a partition that is found unsealed by whoever verifies.
                try? PartitionID(String(decoding: line, as: UTF8.self))
            }
    }

    /// Writes the partitions, durably.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` when the file cannot be written.
    func write(_ partitions: [PartitionID]) throws(AuditServerError) {
        let lines = partitions.suffix(Self.maximumPartitions).map { "\($0.value)\n" }.joined()
        try PrivateFile.write(Array(lines.utf8), to: path)
    }
}
