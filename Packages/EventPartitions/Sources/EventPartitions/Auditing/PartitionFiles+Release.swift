public import EventModel

/// A partition that is kept aside.
public struct AsidePartition: Sendable, Hashable {
    /// The partition.
    public let partition: PartitionID
    /// The absolute path of its file.
    public let path: String
    /// Why it was set aside; nil when the note that says it cannot be read.
    public let reason: String?
    /// Whether it can be offered again: one whose file is damaged is not, because what can be read of it goes on in another one.
    public let isReleasable: Bool
}

extension PartitionFiles {
    /// Finds the partitions at or below a directory that are kept aside, sorted by path.
    ///
    /// Symbolic links are not followed.
    ///
    /// - Parameters:
    ///   - directory: An absolute path.
    ///   - fileSystem: Where to look.
    /// - Returns: The partitions.
    /// - Throws: ``PartitionError/fileSystem(_:)`` when a folder or a note cannot be read.
    public static func keptAside(
        below directory: String,
        in fileSystem: any FileSystem = POSIXFileSystem()
    ) throws(PartitionError) -> [AsidePartition] {
        var found: [AsidePartition] = []
        for path in try find(below: directory, in: fileSystem) where path.hasSuffix(PartitionNames.quarantined) {
            let partition = try partition(at: path)
            let record: QuarantineRecord?
            do throws(FileSystemError) {
                record = try quarantineRecord(at: side(of: path, PartitionNames.quarantineRecord), in: fileSystem)
            } catch {
                throw .fileSystem(error)
            }
            found.append(
                AsidePartition(
                    partition: partition,
                    path: path,
                    reason: record?.reason,
                    isReleasable: record?.isReleasable ?? false
                )
            )
        }
        return found
    }

    /// Asks for a partition that is kept aside to be offered for upload again.
    ///
    /// A file beside it says so, which the app that the files belong to obeys when it looks at them the next time: at its start, or
    /// within its interval of uploads. So the app may run meanwhile, and its keys are not needed. Asking twice asks once.
    ///
    /// - Returns: Whether it is offered again; only ``AsidePartition/isReleasable`` ones are.
    /// - Throws: ``PartitionError/fileSystem(_:)`` when the file cannot be made.
    @discardableResult
    public static func release(
        _ aside: AsidePartition,
        in fileSystem: any FileSystem = POSIXFileSystem()
    ) throws(PartitionError) -> Bool {
        guard aside.isReleasable else { return false }
        do throws(FileSystemError) {
            try fileSystem.open(side(of: aside.path, PartitionNames.release), .writeOrCreate).close()
            try fileSystem.syncDirectory(FilePaths.parent(of: aside.path))
            return true
        } catch {
            throw .fileSystem(error)
        }
    }

    /// The path of a file beside one that is kept aside.
    private static func side(of path: String, _ ending: String) -> String {
        path.dropLast(PartitionNames.quarantined.count) + ending
    }

    /// Reads the note beside a partition that is kept aside; nil when there is none, or none that can be read.
    static func quarantineRecord(
        at path: String,
        in fileSystem: any FileSystem
    ) throws(FileSystemError) -> QuarantineRecord? {
        guard try fileSystem.status(path)?.kind == .file else { return nil }
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        let bytes = try file.bytes(at: 0, count: QuarantineRecord.maximumBytes)
        return FrameJSON.decode(QuarantineRecord.self, from: bytes)
    }
}
