import EventModel
import EventProofs

/// What the device's index says of one partition that is on the device, or should be.
struct IndexedPartition: Sendable, Hashable {
    /// How far a partition has come; the numbers are part of the format.
    enum State: UInt8, Sendable, CaseIterable {
        /// Events of it are durable; nothing is signed.
        case begun = 0
        /// The seal is signed, and about to be written behind the events.
        case entered = 1
        /// The seal is in the file.
        case sealed = 2
        /// The file is kept aside, with another ending.
        case aside = 3
        /// This library is removing the file: a server holds it, or the loss ledger names it.
        case leaving = 4
        /// The file was not there, and not by this library; the loss ledger names it.
        case missing = 5
    }

    /// The id, which is the name of the file.
    let id: ObjectId
    /// How far it has come.
    var state: State
    /// When it came there, by the device's clock.
    var changed: EventInstant
    /// What was sealed; nil when nothing was.
    let seal: IndexedSeal?

    /// Whether its file should lie in the folder under its own name.
    var isExpected: Bool { state == .begun || state == .entered || state == .sealed }
}

/// What is kept of a seal: enough to know it again, and to write it once more after a crash without signing anything.
struct IndexedSeal: Sendable, Hashable {
    /// What a seal says beside what its file holds.
    struct Statement: Sendable, Hashable {
        /// Whether it names the owner; those of earlier versions do not.
        let namesOwner: Bool
        /// Which one of the owner's and prefix's partitions it closed, counted from 1; nil when nobody counted.
        let number: UInt64?
        /// The root of the partition that was sealed before.
        let previousRoot: Digest?
        /// Which part of a ledger its losses are.
        let ledgerPart: UInt32
        /// Whether the next seal goes on with the ledger.
        let isLedgerContinued: Bool
        /// The device's signature on the seal.
        let signature: [UInt8]
    }

    /// How many events it speaks of.
    let count: UInt64
    /// The root over the events.
    let root: Digest
    /// The size of the file with the seal, in bytes.
    let byteCount: UInt64
    /// The hash of everything that was signed, and the signature.
    let digest: Digest
    /// What else it says.
    let statement: Statement

    /// Describes a seal in a file of some size.
    init(_ seal: PartitionSeal, byteCount: UInt64) {
        self.init(
            count: seal.count,
            root: seal.root,
            byteCount: byteCount,
            digest: seal.indexDigest,
            statement: Statement(
                namesOwner: seal.owner != nil,
                number: seal.number,
                previousRoot: seal.previousRoot,
                ledgerPart: seal.ledgerPart,
                isLedgerContinued: seal.isLedgerContinued,
                signature: seal.signature
            )
        )
    }

    init(count: UInt64, root: Digest, byteCount: UInt64, digest: Digest, statement: Statement) {
        self.count = count
        self.root = root
        self.byteCount = byteCount
        self.digest = digest
        self.statement = statement
    }

    /// Whether a seal is this one, every byte of it.
    func isSame(as seal: PartitionSeal) -> Bool { seal.indexDigest == digest }
}

extension PartitionSeal {
    /// What the index keeps of a seal instead of its fields: the leaf hash of what was signed and the signature.
    var indexDigest: Digest { MerkleHash.leaf(canonicalBytes + signature) }
}

/// Names a folder in the index: whose it is, and the prefix.
struct IndexedFolder: Sendable, Hashable {
    let owner: EventOwner
    let prefix: ExactText

    /// Names a folder.
    init(owner: EventOwner, prefix: String) {
        self.owner = owner
        self.prefix = ExactText(prefix)
    }

    /// The name of one of its partitions.
    func partition(_ id: ObjectId) -> PartitionID { PartitionID(prefix: prefix.string, id: id) }
}
