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
/// `device.index.lock` reads what others appended, appends, and unlocks it. Each record is signed over the chain of all records before it.
/// What is entered here is on the disk before what it speaks of takes effect.
final class SealedIndex: Sendable {
    /// The name of the file.
    static let name = "device.index"

    /// What this process knows of the index.
    struct Memory: Sendable {
        /// What was read or written last; nil before the first time.
        var contents: SealedIndexContents?
        /// What is to be reported.
        var findings: [PartitionFinding] = []
    }

    /// Where the index lies.
    let path: String
    /// The folder whose partitions are entered.
    let folder: IndexedFolder
    let key: DeviceKey
    let fileSystem: any FileSystem
    let clock: any EventClock
    let memory = Mutex(Memory())

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

    /// Keeps what is to be reported of an index that began anew.
    func note(_ beginning: SealedIndexState.Beginning, in findings: inout [PartitionFinding]) {
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
