import EventModel
import EventProofs

/// One entry of the index, without its signature.
///
/// <doc:FileFormat> has the table of its bytes.
enum SealedIndexRecord: Sendable, Hashable {
    /// What a file begins with: where the chain stands, and everything that is still worth knowing.
    struct Head: Sendable, Hashable {
        /// How many records the files before this one held.
        var earlierCount: UInt64 = 0
        /// The chain over them.
        var earlierChain = MerkleHash.empty
        /// The key that signs the records.
        let publicKey: [UInt8]
        /// The folders as those records left them.
        var folders: [IndexedFolder: SealedIndexState.Folder] = [:]
    }

    case head(Head)
    /// A folder is known from now on, with the partitions that lie in it.
    case folder(IndexedFolder, SealedIndexState.Folder)
    /// A partition was begun, or is about to be sealed.
    case partition(IndexedFolder, IndexedPartition)
    /// A partition has come further; without a state it is gone, as it should be.
    case change(IndexedFolder, ObjectId, IndexedPartition.State?, at: EventInstant)
}

// MARK: - Bytes

extension SealedIndexRecord {
    private enum Kind: UInt8 {
        case head = 1
        case folder = 2
        case partition = 3
        case change = 4
    }

    /// What a change says of a partition that is gone.
    private static let gone: UInt8 = 255

    /// The form in which it is stored, signed and hashed.
    var bytes: [UInt8] {
        var writer = RecordWriter()
        switch self {
        case .head(let head):
            writer.append(Kind.head.rawValue)
            writer.append(head.earlierCount)
            writer.append(head.earlierChain)
            writer.append(counted: head.publicKey)
            let folders = head.folders.sorted { $0.key.sortKey.lexicographicallyPrecedes($1.key.sortKey) }
            writer.append(UInt32(folders.count))
            for (name, folder) in folders { writer.append(name, folder) }
        case .folder(let name, let folder):
            writer.append(Kind.folder.rawValue)
            writer.append(name, folder)
        case .partition(let name, let partition):
            writer.append(Kind.partition.rawValue)
            writer.append(name)
            writer.append(partition)
        case .change(let name, let id, let state, let instant):
            writer.append(Kind.change.rawValue)
            writer.append(name)
            writer.append(id)
            writer.append(state?.rawValue ?? Self.gone)
            writer.append(instant.microseconds)
        }
        return writer.bytes
    }

    /// Reads the stored form; nil when it is another one.
    init?(bytes: ArraySlice<UInt8>) {
        var reader = RecordReader(bytes)
        guard let kind = reader.byte().flatMap(Kind.init) else { return nil }
        switch kind {
        case .head:
            guard let count = reader.number(UInt64.self), let chain = reader.digest(),
                let publicKey = reader.counted(), let folderCount = reader.number(UInt32.self)
            else { return nil }
            var head = Head(earlierCount: count, earlierChain: chain, publicKey: Array(publicKey))
            for _ in 0..<folderCount {
                guard let name = reader.name(), let folder = reader.folder() else { return nil }
                head.folders[name] = folder
            }
            self = .head(head)
        case .folder:
            guard let name = reader.name(), let folder = reader.folder() else { return nil }
            self = .folder(name, folder)
        case .partition:
            guard let name = reader.name(), let partition = reader.partition() else { return nil }
            self = .partition(name, partition)
        case .change:
            guard let name = reader.name(), let id = reader.id(), let state = reader.byte(),
                let instant = reader.instant()
            else { return nil }
            let known = IndexedPartition.State(rawValue: state)
            guard known != nil || state == Self.gone else { return nil }
            self = .change(name, id, known, at: instant)
        }
        guard reader.isAtEnd else { return nil }
    }
}

extension IndexedFolder {
    /// Puts folders into one order, so that the same index always has the same bytes.
    fileprivate var sortKey: [UInt8] {
        [owner.app, owner.user, prefix.string].flatMap { Array($0.utf8) + [0] }
    }
}

extension RecordWriter {
    fileprivate mutating func append(_ name: IndexedFolder) {
        append(counted: name.owner.app.utf8)
        append(counted: name.owner.user.utf8)
        append(counted: name.prefix.string.utf8)
    }

    fileprivate mutating func append(_ name: IndexedFolder, _ folder: SealedIndexState.Folder) {
        append(name)
        append(folder.beginning.rawValue)
        append(folder.begun.microseconds)
        append(folder.number)
        append(optional: folder.lastRoot) { $0.append($1) }
        append(optional: folder.newest) { $0.append($1) }
        append(folder.forgotten)
        append(folder.ledgerPart)
        append(UInt32(folder.partitions.count))
        for partition in folder.partitions.values.sorted(by: { $0.id < $1.id }) { append(partition) }
    }

    fileprivate mutating func append(_ partition: IndexedPartition) {
        append(partition.id)
        append(partition.state.rawValue)
        append(partition.changed.microseconds)
        append(optional: partition.seal) { writer, seal in
            writer.append(seal.count)
            writer.append(seal.root)
            writer.append(seal.byteCount)
            writer.append(seal.digest)
            writer.append(seal.statement)
        }
    }
}

extension RecordWriter {
    private mutating func append(_ statement: IndexedSeal.Statement) {
        append(UInt8(statement.namesOwner ? 1 : 0))
        append(optional: statement.number) { $0.append($1) }
        append(optional: statement.previousRoot) { $0.append($1) }
        append(statement.ledgerPart)
        append(UInt8(statement.isLedgerContinued ? 1 : 0))
        append(counted: statement.signature)
    }
}

extension RecordReader {
    fileprivate mutating func name() -> IndexedFolder? {
        guard let app = text(), let user = text(), let prefix = text() else { return nil }
        return IndexedFolder(owner: EventOwner(app: app, user: user), prefix: prefix)
    }

    fileprivate mutating func folder() -> SealedIndexState.Folder? {
        guard let beginning = byte().flatMap(SealedIndexState.Beginning.init), let begun = instant(),
            let number = number(UInt64.self), let lastRoot = optional({ $0.digest() }),
            let newest = optional({ $0.id() }), let forgotten = self.number(UInt64.self),
            let ledgerPart = self.number(UInt32.self), let count = self.number(UInt32.self)
        else { return nil }
        var folder = SealedIndexState.Folder(
            beginning: beginning,
            begun: begun,
            number: number,
            lastRoot: lastRoot,
            newest: newest,
            ledgerPart: ledgerPart,
            forgotten: forgotten
        )
        for _ in 0..<count {
            guard let partition = partition() else { return nil }
            folder.partitions[partition.id] = partition
        }
        return folder
    }

    fileprivate mutating func partition() -> IndexedPartition? {
        guard let id = id(), let state = byte().flatMap(IndexedPartition.State.init), let changed = instant(),
            let seal = optional({ $0.seal() })
        else { return nil }
        return IndexedPartition(id: id, state: state, changed: changed, seal: seal)
    }

    private mutating func seal() -> IndexedSeal? {
        guard let count = number(UInt64.self), let root = digest(), let byteCount = number(UInt64.self),
            let digest = digest(), let statement = statement()
        else { return nil }
        return IndexedSeal(count: count, root: root, byteCount: byteCount, digest: digest, statement: statement)
    }

    private mutating func statement() -> IndexedSeal.Statement? {
        guard let namesOwner = flag(), let number = optional({ $0.number(UInt64.self) }),
            let previousRoot = optional({ $0.digest() }), let ledgerPart = self.number(UInt32.self),
            let isLedgerContinued = flag(), let signature = counted()
        else { return nil }
        return IndexedSeal.Statement(
            namesOwner: namesOwner,
            number: number,
            previousRoot: previousRoot,
            ledgerPart: ledgerPart,
            isLedgerContinued: isLedgerContinued,
            signature: Array(signature)
        )
    }
}
