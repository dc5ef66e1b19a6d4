public import EventModel

/// The journals of open scopes, as files beside the partitions: `<24 hex digits>.journal`, each readable by its owner alone.
///
/// The process that made a journal holds the lock of its file; the death of the process gives it back, and whoever takes
/// it next recovers what is inside. Appending does not wait for the disk: written bytes survive the death of the process
/// in the caches of the system, and a power cut may cost the last ones.
///
/// A journal is a preamble and frames like a partition, see <doc:FileFormat>; a torn last frame costs only itself.
public struct ScopeJournalFiles: ScopeJournalStore {
    /// Where the files are.
    public let folder: EventFolder
    private let encryptionKey: EventEncryptionKey?
    private let fileSystem: any FileSystem
    private let ids: any ObjectIdSource

    /// Names the place of journals; nothing is made yet.
    ///
    /// - Parameters:
    ///   - folder: Where the files are; made when it is missing.
    ///   - encryptionKey: The key that blocks are encrypted with; nil leaves them plain.
    ///   - fileSystem: Where files live.
    ///   - ids: Gives the ids of journals.
    public init(
        _ folder: EventFolder,
        encryptionKey: EventEncryptionKey? = nil,
        fileSystem: any FileSystem = POSIXFileSystem(),
        ids: any ObjectIdSource = ObjectIdGenerator.system
    ) {
        self.folder = folder
        self.encryptionKey = encryptionKey
        self.fileSystem = fileSystem
        self.ids = ids
    }

    /// Makes the file of a new journal.
    ///
    /// - Throws: ``PartitionError`` when the folder or the file cannot be made.
    public func begin() throws -> any ScopeJournal {
        try naming {
            try folder.make(in: fileSystem)
            return try folder.withLock(in: fileSystem) {
                let id = ids.next()
                let path = path(id)
                let file = try fileSystem.open(path, .create)
                do {
                    guard try file.lock(waiting: false) else { throw FileSystemError(.lock, path: path, code: 0) }
                    return try ScopeJournalFile(
                        creating: id,
                        path: path,
                        file: file,
                        fileSystem: fileSystem,
                        key: encryptionKey
                    )
                } catch {
                    try fileSystem.remove(path)
                    throw error
                }
            }
        }
    }

    /// Locks the journals of the folder that no process holds; one in which nothing was written yet is removed.
    ///
    /// A file that is not a journal of this version, or was encrypted with another key, is left as it is: another program may
    /// be able to read it. It is among the result, throws the reason from every call, and so can be reported. A file that
    /// cannot be opened or read is left out as long as there are others; it blocks none of them.
    ///
    /// - Throws: ``PartitionError`` when the folder cannot be listed, or the only journals there are cannot be read.
    public func leftBehind() throws -> [any ScopeJournal] {
        try naming {
            guard try fileSystem.status(folder.path) != nil else { return [] }
            return try folder.withLock(in: fileSystem) {
                let names = try fileSystem.list(folder.path)
                let ids = names.compactMap { PartitionNames.id(in: $0, ending: PartitionNames.journal) }
                let results = ids.sorted().map { id in Result { try takeOver(id) } }
                let journals = results.compactMap { try? $0.get() }
                // What was taken over is not given back for the sake of another file, which is tried again next time.
                if journals.isEmpty { for result in results { _ = try result.get() } }
                return journals
            }
        }
    }

    /// Reads the first block of each journal in the folder but these, and changes nothing.
    ///
    /// - Throws: ``PartitionError/fileSystem(_:)`` when the folder cannot be listed. A file that cannot be read, or was written by
    ///   another version or with another key, is left out: it is of another session than any that can be read.
    public func firstBlocks(besides known: [any ScopeJournal]) throws -> [[UInt8]] {
        let known = Set(known.map(\.id))
        return try naming {
            guard try fileSystem.status(folder.path) != nil else { return [] }
            let ids = try fileSystem.list(folder.path)
                .compactMap { PartitionNames.id(in: $0, ending: PartitionNames.journal) }
            return ids.filter { !known.contains($0) }.compactMap { try? firstBlock(of: $0) }
        }
    }

    private func firstBlock(of id: ObjectId) throws -> [UInt8]? {
        let path = path(id)
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        return try ScopeJournalFile.firstBlock(of: id, path: path, file: file, key: encryptionKey)
    }

    /// Says whether the file of a journal exists.
    ///
    /// - Throws: ``PartitionError/fileSystem(_:)`` when that cannot be found out.
    public func exists(_ journal: ObjectId) throws -> Bool {
        try naming { try fileSystem.exists(path(journal)) }
    }

    /// Names a realm below the root by its path from there, so that both can be moved together, and any other by its whole
    /// path.
    public func address(of realm: String) -> RealmAddress {
        let below = folder.root == "/" ? "/" : "\(folder.root)/"
        guard realm.hasPrefix(below) else { return RealmAddress(name: realm, place: "\(folder.path)\n\(realm)") }
        let name = String(realm.dropFirst(below.count))
        return RealmAddress(name: name, place: "\(folder.path.dropFirst(folder.root.count))\n\(name)")
    }

    /// Says whether the file of a realm exists.
    ///
    /// - Throws: ``PartitionError/fileSystem(_:)`` when that cannot be found out.
    public func hasRealm(named name: String) throws -> Bool {
        try naming { try fileSystem.exists(name.hasPrefix("/") ? name : "\(folder.root)/\(name)") }
    }

    /// Locks a journal; nil when a living process has it, or has removed it since the folder was listed.
    private func takeOver(_ id: ObjectId) throws -> (any ScopeJournal)? {
        let file: any OpenFile
        do throws(FileSystemError) {
            file = try fileSystem.open(path(id), .write)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
        guard try file.lock(waiting: false) else { return nil }
        // Whoever had the lock may have removed the file before letting it go: all that is in it is stored.
        guard try fileSystem.status(path(id)) != nil else { return nil }
        guard try file.size() >= UInt64(PartitionPreamble.byteCount) else {
            try fileSystem.remove(path(id))
            return nil
        }
        do {
            return try ScopeJournalFile(
                continuing: id,
                path: path(id),
                file: file,
                fileSystem: fileSystem,
                key: encryptionKey
            )
        } catch let reason as PartitionError {
            return UnreadableJournal(id, file, because: reason)
        }
    }

    private func path(_ id: ObjectId) -> String { "\(folder.path)/\(id.stringValue)\(PartitionNames.journal)" }

    private func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FileSystemError {
            throw PartitionError.fileSystem(error)
        }
    }
}
