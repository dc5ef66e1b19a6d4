import EventModel
import EventProofs
import Synchronization

/// The file of the index: whoever holds its lock reads what others appended, appends, and unlocks it.
extension SealedIndex {
    /// What lies where the index should be.
    enum Loaded {
        case missing
        case damaged
        case contents(SealedIndexContents)
    }

    /// Does something while no other process or thread uses the index.
    func transact<Result>(_ body: (inout Memory) throws -> Result) throws -> Result {
        try memory.withLock { memory in
            let guardian = try fileSystem.open("\(path).lock", .writeOrCreate)
            defer { guardian.close() }
            _ = try guardian.lock(waiting: true)
            return try body(&memory)
        }
    }

    /// Does something with the index as it is on the disk.
    func withContents<Result>(_ body: (inout SealedIndexContents) throws -> Result) throws -> Result {
        try transact { memory in
            guard var contents = memory.contents else { throw FileSystemError(.open, path: path, code: 2) }
            // Only one of the two is there while it is changed, or each change would copy all that is known.
            memory.contents = nil
            defer { memory.contents = contents }
            try refresh(&contents, &memory.findings)
            return try body(&contents)
        }
    }

    /// Reads the whole file.
    func load() throws -> Loaded {
        guard try fileSystem.status(path) != nil else { return .missing }
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        do {
            return .contents(try SealedIndexContents(file))
        } catch is SealedIndexContents.Damage {
            return .damaged
        }
    }

    /// Reads what others appended; an index that somebody took away or exchanged is written again from memory.
    private func refresh(_ known: inout SealedIndexContents, _ findings: inout [PartitionFinding]) throws {
        if try fileSystem.status(path) != nil {
            let file = try fileSystem.open(path, .read)
            defer { file.close() }
            do {
                if try known.isContinued(by: file) { return try known.read(file, to: try file.size()) }
            } catch is SealedIndexContents.Damage {
                // Loading it from its front finds the same.
            }
        }
        let beginning: SealedIndexState.Beginning
        switch try load() {
        case .missing: beginning = .lost
        case .damaged: beginning = .damaged
        case .contents(let found) where found.publicKey != key.publicKey: beginning = .otherKey
        case .contents(let found):
            if found.isLater(than: known) {
                known = found
                return
            }
            beginning = .older
        }
        note(beginning, in: &findings)
        try rewrite(&known, marking: beginning)
    }

    /// Writes the index anew from what is known of it.
    private func rewrite(_ contents: inout SealedIndexContents, marking beginning: SealedIndexState.Beginning?) throws {
        var head = SealedIndexRecord.Head(
            earlierCount: contents.state.recordCount,
            earlierChain: contents.state.chain,
            publicKey: key.publicKey,
            folders: contents.state.folders
        )
        if let beginning {
            let now = clock.now().wall
            for name in head.folders.keys {
                head.folders[name]?.beginning = beginning
                head.folders[name]?.begun = now
            }
        }
        var next = SealedIndexContents(id: contents.id)
        try write(head, as: &next)
        contents = next
    }

    /// Writes a file that begins with a head, and puts it in the place of the one before.
    func write(_ head: SealedIndexRecord.Head, as contents: inout SealedIndexContents) throws {
        var bytes: [UInt8] = []
        PartitionPreamble.append(contents.id, .index, to: &bytes)
        let addition = try contents.addition(of: .head(head), signedBy: key)
        contents.add(addition)
        bytes += addition.frame
        contents.didBegin(bytes)
        contents.size = UInt64(bytes.count)
        try fileSystem.replaceFile(at: path, with: bytes) { reserve(&contents, $0) }
    }

    /// Appends a record, signed over all before it; one that could not be written is taken back.
    func append(
        _ record: SealedIndexRecord,
        to contents: inout SealedIndexContents,
        isSynced: Bool = true
    ) throws {
        if contents.state.staleCount > max(Self.largestStaleCount, 2 * contents.state.partitionCount) {
            // The file may become longer instead when there is no room for a second one.
            try? rewrite(&contents, marking: nil)
        }
        let file = try fileSystem.open(path, .write)
        defer { file.close() }
        if contents.hasTornTail { try contents.cut(file) }
        let place = contents.end
        let addition = try contents.addition(of: record, signedBy: key)
        do {
            try file.writeAll(addition.frame, at: place)
            if isSynced { try file.synchronize() }
        } catch {
            // Whatever is there of it, the next one who reads the index finds out.
            try? file.truncate(to: place)
            throw error
        }
        contents.add(addition)
        contents.size = max(contents.size, contents.end)
        reserve(&contents, file)
    }

    /// Keeps room for later records, so that a full disk keeps no partition from being sealed or deleted.
    private func reserve(_ contents: inout SealedIndexContents, _ file: any OpenFile) {
        guard contents.size - contents.end < Self.leastReserve else { return }
        do throws(FileSystemError) {
            try file.writeAll([UInt8](repeating: 0, count: Self.reserve), at: contents.size)
            contents.size += UInt64(Self.reserve)
        } catch {
            // A full disk; the next record may find room.
        }
    }

    /// So many records may say nothing any more before the file is written anew.
    private static let largestStaleCount = 256
    /// How much room for later records is made at a time, in bytes.
    private static let reserve = 24 << 10
    /// When less is left, more is made.
    private static let leastReserve: UInt64 = 16 << 10
}

extension SealedIndexContents {
    /// Whether these are what became of others: no record is missing that was in those.
    fileprivate func isLater(than known: SealedIndexContents) -> Bool {
        guard id == known.id else { return true }
        let (count, knownCount) = (state.recordCount, known.state.recordCount)
        return count > knownCount || count == knownCount && state.chain == known.state.chain
    }

    /// Cuts off what is no record, so that nothing of it is taken for one.
    fileprivate mutating func cut(_ file: any OpenFile) throws(FileSystemError) {
        try file.truncate(to: end)
        size = end
    }
}
