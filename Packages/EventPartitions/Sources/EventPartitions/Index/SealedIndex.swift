import EventModel
import EventProofs
import Synchronization

/// Where the next seal of a folder stands.
struct ChainPlace: Sendable {
    /// Which one of the folder's it is.
    let number: UInt64
    /// The root of the one before; nil for the first.
    let previousRoot: Digest?
    /// Which part of a ledger it names.
    let ledgerPart: UInt32
}

/// The device's index of the partitions that should be on it, as one folder of event files uses it.
///
/// One file beside the key, `device.index`, for all folders, users and processes of the device: whoever holds the lock of
/// `device.index.lock` reads what others appended, appends, and lets go. Each record is signed over the chain of all records before it.
/// What is entered here is on the disk before what it speaks of takes effect.
final class SealedIndex: Sendable {
    /// The name of the file.
    static let name = "device.index"

    private struct Memory: Sendable {
        /// What was read or written last; nil before the first time.
        var contents: SealedIndexContents?
        /// What is to be told.
        var findings: [PartitionFinding] = []
    }

    /// Where the index lies.
    let path: String
    /// The folder whose partitions are entered.
    let folder: IndexedFolder
    private let key: DeviceKey
    private let fileSystem: any FileSystem
    private let clock: any EventClock
    private let memory = Mutex(Memory())

    /// Names the index; nothing is read or made yet.
    init(
        of folder: EventFolder,
        key: DeviceKey,
        fileSystem: any FileSystem,
        clock: any EventClock
    ) {
        path = folder.indexPath
        self.folder = IndexedFolder(owner: folder.owner, prefix: folder.prefix)
        self.key = key
        self.fileSystem = fileSystem
        self.clock = clock
    }

    /// Whether the folder is known, so that partitions of it can be entered.
    var isAttached: Bool { memory.withLock { $0.contents?.state.folders[folder] != nil } }

    /// Takes what was found out about the index itself since the last call.
    func takeFindings() -> [PartitionFinding] {
        memory.withLock { memory in
            defer { memory.findings = [] }
            return memory.findings
        }
    }

    // MARK: - Folders

    /// Makes the folder known, and begins an index when there is none that this device's key has signed.
    ///
    /// - Parameters:
    ///   - marker: The id of the index that the folder belonged to; nil when it is new, or earlier versions wrote it.
    ///   - survey: Reads the seals that lie in the folder, with the sizes of their files; called only when they are not known.
    /// - Returns: The id of the index, which is the marker from now on.
    /// - Throws: What the closure throws, `FileSystemError`, and ``PartitionError/unsigned(_:)``.
    func attach(marker: ObjectId?, survey: () throws -> [(seal: PartitionSeal, byteCount: UInt64)]) throws -> ObjectId {
        try transact { memory in
            switch try load() {
            case .contents(var contents) where contents.publicKey == key.publicKey:
                let isOther = marker.map { $0 != contents.id } ?? false
                if isOther || contents.state.folders[folder] == nil {
                    let seals = try survey()
                    var beginning: SealedIndexState.Beginning = isOther ? .lost : .first
                    if !isOther, marker != nil || seals.contains(where: { $0.seal.number != nil }) {
                        beginning = .older
                    }
                    let known = newFolder(seals, beginning)
                    try append(.folder(folder, known), to: &contents)
                    note(beginning, in: &memory.findings)
                }
                memory.contents = contents
                return contents.id
            case let found:
                let seals = try survey()
                let beginning: SealedIndexState.Beginning
                switch found {
                case .contents: beginning = .otherKey
                case .damaged: beginning = .damaged
                case .missing:
                    let hadOne = marker != nil || seals.contains { $0.seal.number != nil }
                    beginning = hadOne ? .lost : .first
                }
                if case .missing = found {} else { try fileSystem.rename(path, to: "\(path).aside") }
                let known = newFolder(seals, beginning)
                var contents = SealedIndexContents(id: .random())
                try write(SealedIndexRecord.Head(publicKey: key.publicKey), as: &contents)
                try append(.folder(folder, known), to: &contents)
                note(beginning, in: &memory.findings)
                memory.contents = contents
                return contents.id
            }
        }
    }

    /// Describes a folder by what lies in it.
    private func newFolder(
        _ seals: [(seal: PartitionSeal, byteCount: UInt64)],
        _ beginning: SealedIndexState.Beginning
    ) -> SealedIndexState.Folder {
        let now = clock.now().wall
        var known = SealedIndexState.Folder(beginning: beginning, begun: now)
        let last = seals.max { left, right in
            (left.seal.number ?? 0, left.seal.partition.id) < (right.seal.number ?? 0, right.seal.partition.id)
        }
        known.number = max(UInt64(seals.count), last?.seal.number ?? 0)
        known.lastRoot = last?.seal.root
        known.newest = seals.map(\.seal.partition.id).max()
        for (seal, byteCount) in seals {
            known.partitions[seal.partition.id] = IndexedPartition(
                id: seal.partition.id,
                state: .sealed,
                changed: now,
                seal: IndexedSeal(seal, byteCount: byteCount)
            )
        }
        return known
    }

    private func note(_ beginning: SealedIndexState.Beginning, in findings: inout [PartitionFinding]) {
        if let reason = beginning.reason { findings.append(.indexLost(path: path, reason: reason)) }
    }

    // MARK: - Partitions

    /// The partitions of the folder that should be on the device, as all processes have left them.
    ///
    /// - Throws: `FileSystemError` when the index cannot be read.
    func partitions() throws -> [ObjectId: IndexedPartition] {
        try withContents { contents in contents.state.folders[folder]?.partitions ?? [:] }
    }

    /// What the index says of one partition now; nil when that is nothing, or the folder is not known yet.
    ///
    /// - Throws: `FileSystemError` when the index cannot be read.
    func partition(_ id: ObjectId) throws -> IndexedPartition? {
        guard isAttached else { return nil }
        return try withContents { contents in contents.state.folders[folder]?.partitions[id] }
    }

    /// How many partitions of the folder were sealed, as far as this process knows.
    var number: UInt64 { memory.withLock { $0.contents?.state.folders[folder]?.number ?? 0 } }

    /// Signs the seal of a partition as the next one of the chain, and enters it before it is written anywhere.
    ///
    /// - Parameters:
    ///   - partition: The partition, whose events are durable.
    ///   - sign: Makes the seal as the next one of the chain, and says how large the file will be with it.
    /// - Returns: The seal.
    /// - Throws: What the closure throws, and `FileSystemError`; the seal must not be written then.
    func enter(
        _ partition: ObjectId,
        _ sign: (ChainPlace) throws -> (seal: PartitionSeal, byteCount: UInt64)
    ) throws -> PartitionSeal {
        try withContents { contents in
            guard let known = contents.state.folders[folder] else {
                throw FileSystemError(.open, path: path, code: 2)
            }
            let place = ChainPlace(
                number: known.number + 1,
                previousRoot: known.lastRoot,
                ledgerPart: known.ledgerPart
            )
            let (seal, byteCount) = try sign(place)
            let entry = IndexedPartition(
                id: partition,
                state: .entered,
                changed: clock.now().wall,
                seal: IndexedSeal(seal, byteCount: byteCount)
            )
            try append(.partition(folder, entry), to: &contents)
            return seal
        }
    }

    /// Enters a partition that was begun: its first events are durable.
    func enter(begun partition: ObjectId) throws {
        try enter(IndexedPartition(id: partition, state: .begun, changed: clock.now().wall, seal: nil), isSynced: false)
    }

    /// Enters a sealed partition that is in the folder, and that the index does not know.
    func adopt(_ seal: PartitionSeal, byteCount: UInt64) throws {
        let entry = IndexedPartition(
            id: seal.partition.id,
            state: .sealed,
            changed: clock.now().wall,
            seal: IndexedSeal(seal, byteCount: byteCount)
        )
        try enter(entry, isSynced: true)
    }

    private func enter(_ entry: IndexedPartition, isSynced: Bool) throws {
        try withContents { contents in
            guard contents.state.folders[folder] != nil else { return }
            try append(.partition(folder, entry), to: &contents, isSynced: isSynced)
        }
    }

    /// Enters that a partition has come further, if it is known and has not come there before.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - state: Where it is now; nil when it is gone.
    ///   - isSynced: Whether that is on the disk before the call returns.
    /// - Throws: `FileSystemError` when the index cannot be read or written, and what the system's cryptography throws.
    func change(_ partition: ObjectId, to state: IndexedPartition.State?, isSynced: Bool) throws {
        guard isAttached else { return }
        try withContents { contents in
            guard let known = contents.state.folders[folder]?.partitions[partition], known.state != state else {
                return
            }
            let record = SealedIndexRecord.change(folder, partition, state, at: clock.now().wall)
            try append(record, to: &contents, isSynced: isSynced)
        }
    }
}

// MARK: - The file

extension SealedIndex {
    private enum Loaded {
        case missing
        case damaged
        case contents(SealedIndexContents)
    }

    private func transact<Result>(_ body: (inout Memory) throws -> Result) throws -> Result {
        try memory.withLock { memory in
            let guardian = try fileSystem.open("\(path).lock", .writeOrCreate)
            defer { guardian.close() }
            _ = try guardian.lock(waiting: true)
            return try body(&memory)
        }
    }

    /// Does something with the index as it is on the disk.
    private func withContents<Result>(_ body: (inout SealedIndexContents) throws -> Result) throws -> Result {
        try transact { memory in
            guard var contents = memory.contents else { throw FileSystemError(.open, path: path, code: 2) }
            // Only one of the two is there while it is changed, or each change would copy all that is known.
            memory.contents = nil
            defer { memory.contents = contents }
            try refresh(&contents, &memory.findings)
            return try body(&contents)
        }
    }

    private func load() throws -> Loaded {
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
                // Loading it from its front tells the same.
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
    private func write(_ head: SealedIndexRecord.Head, as contents: inout SealedIndexContents) throws {
        var bytes: [UInt8] = []
        PartitionPreamble.append(contents.id, .index, to: &bytes)
        let addition = try contents.addition(of: .head(head), signedBy: key)
        contents.add(addition)
        bytes += addition.frame
        contents.didBegin(bytes)
        contents.size = UInt64(bytes.count)
        let unfinished = "\(path).new"
        let file = try fileSystem.open(unfinished, .writeOrCreate)
        defer { file.close() }
        try file.truncate(to: 0)
        try file.writeAll(bytes, at: 0)
        reserve(&contents, file)
        try file.synchronize()
        try fileSystem.rename(unfinished, to: path)
        try fileSystem.syncDirectory(FilePaths.parent(of: path))
    }

    private func append(
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
    private static let reserve = 32 << 10
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

extension SealedIndexState.Beginning {
    /// What happened to the index before, the middle of a sentence; nil when there was none.
    var reason: String? {
        switch self {
        case .first: nil
        case .lost: "it was not there any more"
        case .damaged: "it could not be read any more"
        case .otherKey: "it was signed by another key"
        case .older: "an older one lay in its place"
        }
    }
}
