import AuditFormats
import AuditModel
public import EventModel
public import EventProofs

/// What an export says of a partition: a line of `proofs.jsonl` in front of the lines of the partition's events.
public struct ExportedPartition: Sendable, Hashable, Codable {
    /// The partition's entry in the server's log of sealed partitions, and its way to the head that the manifest names.
    public struct Logged: Sendable, Hashable, Codable {
        /// The entry.
        public let entry: PartitionLogEntry
        /// The way to the root of the log.
        public let proof: InclusionProof

        /// Puts both together.
        public init(entry: PartitionLogEntry, proof: InclusionProof) {
            self.entry = entry
            self.proof = proof
        }
    }

    /// The partition.
    public let partition: PartitionID
    /// The app; nil of files.
    public let app: String?
    /// The user; nil of files.
    public let user: String?
    /// How many events the partition had when it was exported, whether they fit the filter or not.
    public let count: UInt64
    /// The root over these events, which the paths lead to.
    public let root: Digest
    /// The device's signature over the root; nil while the partition is open.
    public let seal: PartitionSeal?
    /// The server's signature over the root; nil of files.
    public let receipt: StorageReceipt?
    /// Where the seal is in the server's log; nil while the partition is open, and of files.
    public let logged: Logged?

    /// Describes a partition.
    public init(
        partition: PartitionID,
        owner: EventOwner?,
        count: UInt64,
        root: Digest,
        seal: PartitionSeal?,
        receipt: StorageReceipt? = nil,
        logged: Logged? = nil
    ) {
        self.partition = partition
        app = owner?.app
        user = owner?.user
        self.count = count
        self.root = root
        self.seal = seal
        self.receipt = receipt
        self.logged = logged
    }

    /// Whose partition it is; nil of files.
    package var owner: EventOwner? {
        guard let app, let user else { return nil }
        return EventOwner(app: app, user: user)
    }
}
