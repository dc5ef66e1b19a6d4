public import EventModel
import EventProofs

/// Finds and verifies partition files, wherever they lie.
public enum PartitionFiles {
    /// Finds every partition file at or below a directory, also those that are kept aside, sorted by path.
    ///
    /// Symbolic links are not followed.
    ///
    /// - Parameters:
    ///   - directory: An absolute path.
    ///   - fileSystem: Where to look.
    /// - Returns: Absolute paths.
    /// - Throws: ``PartitionError/fileSystem(_:)`` when a directory cannot be listed.
    public static func find(
        below directory: String,
        in fileSystem: any FileSystem = POSIXFileSystem()
    ) throws(PartitionError) -> [String] {
        do throws(FileSystemError) {
            var found: [String] = []
            try collect(directory, in: fileSystem, into: &found)
            return found.sorted()
        } catch {
            throw .fileSystem(error)
        }
    }

    private static func collect(
        _ directory: String,
        in fileSystem: any FileSystem,
        into found: inout [String]
    ) throws(FileSystemError) {
        for name in try fileSystem.list(directory) {
            let path = directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
            switch try fileSystem.status(path)?.kind {
            case .directory:
                try collect(path, in: fileSystem, into: &found)
            case .file:
                let endings = [PartitionNames.events, PartitionNames.quarantined]
                if endings.contains(where: { PartitionNames.id(in: name, ending: $0) != nil }) { found.append(path) }
            case .symbolicLink, .other, nil: break
            }
        }
    }

    /// Reads a whole file and checks every frame, every event and the seal.
    ///
    /// - Parameters:
    ///   - path: The absolute path.
    ///   - fileSystem: Where the file lives.
    /// - Returns: What was found, with everything that is wrong.
    /// - Throws: ``PartitionError/fileSystem(_:)`` when the file cannot be read, and
    ///   ``PartitionError/unsafePath(_:reason:)`` when its name is not that of a partition.
    /// - Complexity: O(*n*) time, where *n* is the size of the file; the memory of its largest frame.
    public static func verify(
        _ path: String,
        in fileSystem: any FileSystem = POSIXFileSystem()
    ) throws(PartitionError) -> PartitionVerification {
        var reader = try PartitionFileReader(path, in: fileSystem)
        var problems: [PartitionError] = []
        var isAtEnd = false
        while !isAtEnd {
            do throws(PartitionError) {
                isAtEnd = try reader.next() == nil
            } catch {
                guard case .damaged = error else { throw error }
                problems.append(error)
            }
        }
        do throws(PartitionError) {
            try reader.verifySeal()
        } catch {
            problems.append(error)
        }
        if let seal = reader.seal {
            if seal.partition != reader.partition {
                problems.append(.sealMismatch(reader.partition, reason: "it names \(seal.partition)"))
            }
            if seal.losses != reader.losses {
                problems.append(.sealMismatch(reader.partition, reason: "its loss ledger is not that of the file"))
            }
            if seal.previousRoot != reader.previousRoot {
                problems.append(.sealMismatch(reader.partition, reason: "it follows another partition"))
            }
            if let torn = reader.tornTail {
                problems.append(.damaged(path: path, bytes: torn, reason: "there are bytes behind the seal"))
            }
        }
        return PartitionVerification(
            path: path,
            partition: reader.partition,
            eventCount: reader.frontier.count,
            root: reader.frontier.root,
            seal: reader.seal,
            losses: reader.losses,
            tornTail: reader.tornTail,
            problems: problems
        )
    }
}
