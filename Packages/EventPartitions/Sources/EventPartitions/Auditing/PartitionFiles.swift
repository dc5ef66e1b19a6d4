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
    ///   - encryptionKey: What encrypted events are read with; nil when they are not.
    ///   - fileSystem: Where the file lives.
    /// - Returns: What was found, with everything that is wrong. A file that only another key or a newer program can read
    ///   is a problem as well; its events are not counted.
    /// - Throws: ``PartitionError/fileSystem(_:)`` when the file cannot be read, and
    ///   ``PartitionError/unsafePath(_:reason:)`` when its name is not that of a partition.
    /// - Complexity: O(*n*) time, where *n* is the size of the file; the memory of its largest frame.
    public static func verify(
        _ path: String,
        encryptionKey: EventEncryptionKey? = nil,
        in fileSystem: any FileSystem = POSIXFileSystem()
    ) throws(PartitionError) -> PartitionVerification {
        var reader: PartitionFileReader
        do throws(PartitionError) {
            reader = try PartitionFileReader(path, encryptionKey: encryptionKey, in: fileSystem)
        } catch {
            guard case .newerVersion = error else { throw error }
            return PartitionVerification(path: path, partition: try partition(at: path), seal: nil, problems: [error])
        }
        var problems: [PartitionError] = []
        var notes = DamageNotes()
        var isAtEnd = false
        while !isAtEnd {
            do throws(PartitionError) {
                let found = try reader.next()
                if let found { notes.note(event: found.sequence) }
                isAtEnd = found == nil
            } catch {
                problems.append(error)
                notes.note(error)
                switch error {
                case .damaged: break
                case .encrypted, .wrongKey: return try unread(reader.partition, path, problems, in: fileSystem)
                default: throw error
                }
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
            // Earlier versions wrote it where the file begins, too.
            if seal.number == nil, seal.previousRoot != reader.previousRoot {
                problems.append(.sealMismatch(reader.partition, reason: "it follows another partition"))
            }
            if let torn = reader.tornTail {
                let error = PartitionError.damaged(path: path, bytes: torn, reason: "there are bytes behind the seal")
                problems.append(error)
                notes.note(error)
            }
        }
        notes.finish(sealed: reader.seal?.count)
        return PartitionVerification(
            path: path,
            partition: reader.partition,
            owner: reader.owner,
            eventCount: reader.frontier.count,
            root: reader.frontier.root,
            seal: reader.seal,
            losses: reader.losses,
            tornTail: reader.tornTail,
            damages: notes.damages,
            problems: problems
        )
    }

    /// The partition of a file by its place: the prefix is the name of the folder.
    static func partition(at path: String) throws(PartitionError) -> PartitionID {
        let digits = FilePaths.name(of: path).prefix { $0 != "." }
        do throws(EventModelError) {
            let folder = FilePaths.name(of: FilePaths.parent(of: path))
            return PartitionID(prefix: folder, id: try ObjectId(string: String(digits)))
        } catch {
            throw .unsafePath(path, reason: "the name of a partition file is 24 hexadecimal digits and an ending")
        }
    }

    /// Describes a file whose events cannot be read with the given key; its seal is in the clear.
    private static func unread(
        _ partition: PartitionID,
        _ path: String,
        _ problems: [PartitionError],
        in fileSystem: any FileSystem
    ) throws(PartitionError) -> PartitionVerification {
        do throws(FileSystemError) {
            let file = try fileSystem.open(path, .read)
            let seal = try PartitionEnd.seal(of: partition, in: file, size: try file.size())
            return PartitionVerification(path: path, partition: partition, seal: seal, problems: problems)
        } catch {
            throw .fileSystem(error)
        }
    }
}

extension PartitionVerification {
    /// Describes a file none of whose events could be read.
    fileprivate init(path: String, partition: PartitionID, seal: PartitionSeal?, problems: [PartitionError]) {
        self.init(
            path: path,
            partition: partition,
            owner: seal?.owner,
            eventCount: 0,
            root: MerkleHash.empty,
            seal: seal,
            losses: seal?.losses ?? [],
            tornTail: nil,
            damages: [],
            problems: problems
        )
    }
}
