import EventModel
import EventProofs

/// What an index says after some of its records: which partitions should be on the device, and where each chain stands.
struct SealedIndexState: Sendable, Hashable {
    /// Why the index knows a folder only from some moment on; the numbers are part of the format.
    enum Beginning: UInt8, Sendable {
        /// It was the first: the folder was new, or earlier versions kept no index.
        case first = 0
        /// The index before it was not there any more.
        case lost = 1
        /// The index before it could not be read.
        case damaged = 2
        /// Another key had signed the index that was there.
        case otherKey = 3
        /// The index that was there was older than what had been written to it.
        case older = 4
    }

    /// What is known of one folder.
    struct Folder: Sendable, Hashable {
        /// Why it begins where it does.
        var beginning: Beginning
        /// When that was.
        var begun: EventInstant
        /// How many partitions were sealed.
        var number: UInt64 = 0
        /// The root of the one that was sealed last.
        var lastRoot: Digest?
        /// The greatest id of a partition that was ever entered.
        var newest: ObjectId?
        /// Which part of a ledger the next seal names: 0 unless the last one said that its ledger goes on.
        var ledgerPart: UInt32 = 0
        /// How many more are missing than ``partitions`` still names.
        var forgotten: UInt64 = 0
        /// The partitions that are on the device, or should be.
        var partitions: [ObjectId: IndexedPartition] = [:]

        /// Takes over what is known of a partition now.
        ///
        /// - Returns: Whether something was known of it before.
        fileprivate mutating func take(_ partition: IndexedPartition) -> Bool {
            let earlier = partitions[partition.id]
            // What was sealed is not begun again, whoever says so.
            guard partition.seal != nil || earlier?.seal == nil else { return true }
            partitions[partition.id] = partition
            newest = max(newest ?? partition.id, partition.id)
            if let seal = partition.seal, let number = seal.statement.number, number >= self.number {
                self.number = number
                lastRoot = seal.root
                ledgerPart = seal.statement.isLedgerContinued ? seal.statement.ledgerPart &+ 1 : 0
            }
            return earlier != nil
        }
    }

    /// No more missing partitions are named for one folder; of more, the oldest are only counted.
    static let maximumMissing = 1000

    private(set) var folders: [IndexedFolder: Folder] = [:]
    /// How many records there were, from the first index of this chain on.
    private(set) var recordCount: UInt64 = 0
    /// The chain over all of them.
    private(set) var chain = MerkleHash.empty
    /// How many records of the present file say nothing any more that a later one has not changed.
    private(set) var staleCount = 0

    /// How many partitions are named.
    var partitionCount: Int { folders.values.reduce(0) { $0 + $1.partitions.count } }

    /// Takes over a record; the caller has checked that it is the next one.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - bytes: Its stored form.
    mutating func apply(_ record: SealedIndexRecord, bytes: ArraySlice<UInt8>) {
        switch record {
        case .head(let head):
            recordCount = head.earlierCount
            chain = head.earlierChain
            folders = head.folders
            staleCount = 0
        case .folder(let name, let folder):
            folders[name] = folder
        case .partition(let name, let partition):
            add(partition, to: name)
        case .change(let name, let id, let state, let instant):
            change(id, of: name, to: state, at: instant)
        }
        recordCount += 1
        chain = MerkleHash.node(chain, MerkleHash.leaf(bytes))
    }

    /// How many records there are with one more, and the chain over them, which its signature is over.
    func chain(with record: SealedIndexRecord, bytes: [UInt8]) -> (recordCount: UInt64, chain: Digest) {
        var (count, chain) = (recordCount, chain)
        if case .head(let head) = record { (count, chain) = (head.earlierCount, head.earlierChain) }
        return (count + 1, MerkleHash.node(chain, MerkleHash.leaf(bytes[...])))
    }

    // What follows changes a folder where it lies: a copy of its partitions would cost as much as there are of them.

    private mutating func add(_ partition: IndexedPartition, to name: IndexedFolder) {
        if folders[name]?.take(partition) ?? false { staleCount += 1 }
    }

    private mutating func change(
        _ id: ObjectId,
        of name: IndexedFolder,
        to state: IndexedPartition.State?,
        at instant: EventInstant
    ) {
        staleCount += state == nil ? 2 : 1
        guard let state else {
            folders[name]?.partitions[id] = nil
            return
        }
        folders[name]?.partitions[id]?.state = state
        folders[name]?.partitions[id]?.changed = instant
        if state == .missing { forgetMissing(of: name) }
    }

    private mutating func forgetMissing(of name: IndexedFolder) {
        let missing = folders[name]?.partitions.values.filter { $0.state == .missing } ?? []
        guard missing.count > Self.maximumMissing, let oldest = missing.map(\.id).min() else { return }
        folders[name]?.partitions[oldest] = nil
        folders[name]?.forgotten += 1
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
