public import EventModel

/// What the server gave a file at its first bind, and what the file is known by from then on.
public struct FileBinding: Sendable, Hashable {
    /// The history of the realm that the file follows.
    public let history: HistoryID
    /// The number of the file in the realm, from 1.
    public let file: UInt32
    /// What only this file and the server know, so that a copy of a token cannot go on for it.
    public let salt: [UInt8]

    /// Creates a binding.
    public init(history: HistoryID, file: UInt32, salt: [UInt8]) {
        self.history = history
        self.file = file
        self.salt = salt
    }
}

/// How far a file has come: what its sync reads at its start and after each step.
public struct SyncState: Sendable, Hashable {
    /// A snapshot that was begun and not ended.
    public struct Bootstrap: Sendable, Hashable {
        /// The history that the pages are of.
        public let history: HistoryID
        /// The realm's head at the first page: where the log begins afterwards.
        public let head: Int
        /// The last own change that the server had before the first page: those up to it are in the pages.
        public let acknowledged: Int
        /// Where the next page begins; nil before the first one and behind the last one.
        public var cursor: SnapshotCursor?
        /// Whether the last page is in.
        public var isWhole: Bool

        /// Creates the state of a snapshot; by default of one without pages.
        public init(
            history: HistoryID,
            head: Int,
            acknowledged: Int = 0,
            cursor: SnapshotCursor? = nil,
            isWhole: Bool = false
        ) {
            self.history = history
            self.head = head
            self.acknowledged = acknowledged
            self.cursor = cursor
            self.isWhole = isWhole
        }
    }

    /// What the server knows the file by; nil before the first bind.
    public var binding: FileBinding?
    /// The number of the last entry that was integrated; 0 for none.
    public var position: Int
    /// The number of the last change that the server has taken for good; 0 for none.
    public var acknowledged: Int
    /// The number of the last change that was ever sent, whose bytes stay as they are from then on; 0 for none.
    public var sent: Int
    /// The number that the next commit gets.
    public var nextNumber: Int
    /// How many changes wait for their own entries.
    public var pendingChanges: Int
    /// The bytes of their bodies.
    public var pendingBytes: Int
    /// The time of the last commit, or of what was heard since.
    public var clock: HybridClock
    /// The head of the chain behind the acknowledged change.
    public var chain: Digest
    /// The hash of the file's schema.
    public var schemaHash: Digest
    /// The snapshot that is under way; nil for none.
    public var bootstrap: Bootstrap?

    /// Creates a state; by default of a new file.
    public init(
        binding: FileBinding? = nil,
        position: Int = 0,
        acknowledged: Int = 0,
        sent: Int = 0,
        nextNumber: Int = 1,
        pendingChanges: Int = 0,
        pendingBytes: Int = 0,
        clock: HybridClock = .zero,
        chain: Digest,
        schemaHash: Digest,
        bootstrap: Bootstrap? = nil
    ) {
        self.binding = binding
        self.position = position
        self.acknowledged = acknowledged
        self.sent = sent
        self.nextNumber = nextNumber
        self.pendingChanges = pendingChanges
        self.pendingBytes = pendingBytes
        self.clock = clock
        self.chain = chain
        self.schemaHash = schemaHash
        self.bootstrap = bootstrap
    }
}
