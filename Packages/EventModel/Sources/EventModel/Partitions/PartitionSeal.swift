/// What a device signs when it closes a partition: whose it is, what it holds, and what was lost.
public struct PartitionSeal: Sendable, Hashable, Codable {
    /// The largest number of bytes that a seal may have as JSON: 64 KiB; ``capacity(for:)`` says what fits.
    public static let maximumBytes = 65_536

    /// The partition that the device closed with it.
    public let partition: PartitionID
    /// Whose partition it is; nil in seals of earlier versions, which do not say.
    public let owner: EventOwner?
    /// Which one of the device's seals for this owner it is, counted from 1; nil when the device does not count them.
    public let number: UInt64?
    /// How many events it holds.
    public let count: UInt64
    /// The root of the tree over all its events.
    public let root: Digest
    /// When its first event happened; nil when it holds none.
    public let first: EventInstant?
    /// When its last event happened; nil when it holds none.
    public let last: EventInstant?
    /// The root of the partition that the same writer sealed before, or nil for the first.
    public let previousRoot: Digest?
    /// What was dropped while the partition was open, and why; the part of it that ``ledgerPart`` names.
    public let losses: [LossEntry]
    /// Which part of a ledger this is: 0 where it begins, 1 in the seal that goes on with it, and so on.
    public let ledgerPart: UInt32
    /// Whether the ledger goes on in the device's next seal, because this one is full.
    public let isLedgerContinued: Bool
    /// The device's public key: 32 bytes of Ed25519, or 33 of P-256, a compressed point.
    public let publicKey: [UInt8]
    /// The signature over the canonical form of all fields above by the algorithm that the key names, 64 bytes.
    public let signature: [UInt8]

    /// Creates a seal.
    ///
    /// - Precondition: A seal without an owner, which is one of an earlier version, has no number and a whole ledger.
    public init(
        partition: PartitionID,
        owner: EventOwner? = nil,
        number: UInt64? = nil,
        count: UInt64,
        root: Digest,
        first: EventInstant?,
        last: EventInstant?,
        previousRoot: Digest?,
        losses: [LossEntry],
        ledgerPart: UInt32 = 0,
        isLedgerContinued: Bool = false,
        publicKey: [UInt8],
        signature: [UInt8]
    ) {
        precondition(
            owner != nil || number == nil && ledgerPart == 0 && !isLedgerContinued,
            "A seal that does not say whose it is has no field for its number and the parts of its ledger."
        )
        self.partition = partition
        self.owner = owner
        self.number = number
        self.count = count
        self.root = root
        self.first = first
        self.last = last
        self.previousRoot = previousRoot
        self.losses = losses
        self.ledgerPart = ledgerPart
        self.isLedgerContinued = isLedgerContinued
        self.publicKey = publicKey
        self.signature = signature
    }
}

// MARK: - Capacity

extension PartitionSeal {
    /// Returns how many losses one seal can name, counted from the front; the rest goes into the device's next seals.
    ///
    /// ```swift
    /// let count = PartitionSeal.capacity(for: losses)
    /// // this seal: losses.prefix(count), isLedgerContinued if that is not all
    /// // the next:  losses.dropFirst(count), ledgerPart one more
    /// ```
    /// Errs on the side of too few, so that the seal has at most ``maximumBytes`` whatever its other fields are: the names of its
    /// app and user may have 255 bytes each, as those of folders.
    ///
    /// - Returns: At least 1, unless there are none.
    /// - Complexity: O(*n*) in what fits.
    public static func capacity(for losses: some Collection<LossEntry>) -> Int {
        // Each byte of a name may be a control character, which JSON writes as six.
        var room = maximumBytes - 1024 - 6 * (255 + 255 + 128)
        var count = 0
        for loss in losses {
            room -= loss.maximumJSONBytes
            if room < 0, count > 0 { break }
            count += 1
        }
        return count
    }
}

extension LossEntry {
    /// The most bytes that the entry has as JSON: what every entry may have, and the prefix of its partition.
    fileprivate var maximumJSONBytes: Int { 420 + 6 * (partition?.prefix.utf8.count ?? 0) }
}
