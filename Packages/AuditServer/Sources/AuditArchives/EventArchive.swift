package import AuditModel
package import AuditVerifying
package import EventModel
package import EventPartitions
package import EventProofs
package import TimeStamping

/// Where a command reads events from: the files of devices, or a server.
package protocol EventArchive: Sendable {
    /// Lists the partitions by age.
    func partitions() async throws -> [ArchivedPartition]

    /// Says what lies among the events and is not ours, a sentence for each.
    func strays() async throws -> [String]

    /// Calls the closure with each event that fits, partitions by age and events by sequence.
    func events(_ filter: EventFilter, _ body: (EventLine) throws -> Void) async throws

    /// Finds one event and checks its proof.
    ///
    /// - Throws: ``CommandError/missingEvent(_:)`` when there is none, and what keeps the events from being read.
    func event(_ reference: EventReference) async throws -> ShownEvent

    /// Prepares to follow the events that fit.
    func follower(_ filter: EventFilter) -> any EventFollower

    /// Recomputes the proofs of every partition from what is stored of its events.
    ///
    /// - Parameters:
    ///   - receipts: What a server signed; each is held against what is there of its partition.
    ///   - body: Called with each partition and with how many there are.
    /// - Returns: What was found out about the indexes of sealed partitions that lie beside files; a server has none.
    /// - Throws: What the closure throws, and ``CommandError`` or `PartitionError` when the events cannot be read.
    @discardableResult
    func verify(
        _ receipts: [StorageReceipt],
        _ body: (VerifiedPartition, _ total: Int) throws -> Void
    ) async throws -> [VerifiedIndex]

    /// Recomputes the log of sealed partitions.
    ///
    /// - Parameters:
    ///   - kept: The head of an earlier time, which the log must still begin with.
    ///   - policy: Whose word the published checkpoint needs; nil when nobody asks for it.
    ///   - trust: Whose time-stamps are verified, with a policy; nil when nobody asks for any.
    /// - Returns: What was found; nil where there is no log.
    /// - Throws: ``CommandError`` when the server cannot be asked.
    func verifyLog(
        since kept: TreeHead?,
        by policy: WitnessPolicy?,
        stampedBy trust: TimeStampTrust?
    ) async throws -> VerifiedLog?

    /// Describes the fields of the events, for each app that is known.
    func schemas() async throws -> [EventSchema]
}

/// A partition in a list: the line of `daybook partitions --json`.
package struct ArchivedPartition: Encodable, Equatable {
    /// The text form.
    package let partition: String
    /// How many events there are.
    package let count: UInt64
    /// The root over them.
    package let root: Digest
    /// Whether there is a seal.
    package let sealed: Bool
    /// How many events the device lost, by its own ledger.
    package let lost: UInt64
    /// The entries of that ledger.
    package let losses: [LossEntry]
    /// The app; nil in files.
    package let app: String?
    /// The user; nil in files.
    package let user: String?
    /// When the server received the last of it, ISO 8601; nil in files.
    package let received: String?
    /// The file; nil on a server.
    package let path: String?
    /// The seal.
    package let seal: PartitionSeal?

    /// Describes a partition.
    package init(
        partition: String,
        count: UInt64,
        root: Digest,
        sealed: Bool,
        losses: [LossEntry],
        app: String?,
        user: String?,
        received: String?,
        path: String?,
        seal: PartitionSeal?
    ) {
        self.partition = partition
        self.count = count
        self.root = root
        self.sealed = sealed
        lost = losses.eventCount
        self.losses = losses
        self.app = app
        self.user = user
        self.received = received
        self.path = path
        self.seal = seal
    }
}

/// What the verification of a partition found: the line of `daybook verify --json`.
package struct VerifiedPartition: Encodable, Equatable {
    /// The text form.
    package let partition: String
    /// How many events were looked at.
    package let events: UInt64
    /// How many of them are erased: their hashes hold, and nobody knows any more what they said.
    package let erased: UInt64
    /// How many of them have masked values, so that only their places are proven.
    package let masked: UInt64
    /// Of how many of them no receipt binds the time of receipt, because an earlier version of the server stored them.
    package let unsigned: UInt64
    /// Whether every proof holds.
    package let verified: Bool
    /// What the device lost, by its own signed ledger; nothing of it makes a proof fail.
    package let losses: [LossEntry]
    /// The damaged places of a file; of a server there are none.
    package let damages: [FileDamage]
    /// A sentence for everything that is wrong.
    package let problems: [String]

    /// Describes a finding.
    package init(
        partition: PartitionID,
        events: UInt64,
        erased: UInt64 = 0,
        masked: UInt64 = 0,
        unsigned: UInt64 = 0,
        losses: [LossEntry],
        damages: [FileDamage] = [],
        problems: [String]
    ) {
        self.partition = partition.value
        self.damages = damages
        self.events = events
        self.erased = erased
        self.masked = masked
        self.unsigned = unsigned
        verified = problems.isEmpty
        self.losses = losses
        self.problems = problems
    }
}

/// What the verification of a server's log found: a line of `daybook verify --json`.
package struct VerifiedLog: Encodable, Equatable {
    /// The head that the server signed, for the next time.
    package let log: TreeHead
    /// Whether every proof holds.
    package let verified: Bool
    /// How many entries the published checkpoint has that was accepted; nil when nobody asked for one.
    package let publishedSize: UInt64?
    /// Who cosigned it when, in words.
    package let cosignatures: [String]
    /// The time-stamps that are of this log; nil when nobody asked for any.
    package let timeStamps: VerifiedTimeStamps?
    /// What somebody should look at, though every proof holds.
    package let remarks: [String]
    /// A sentence for everything that is wrong.
    package let problems: [String]

    /// Describes a finding.
    ///
    /// - Parameters:
    ///   - audit: What was found.
    ///   - asksForTime: Whether time-stamps were to be verified.
    package init(_ audit: LogAudit, asksForTime: Bool = false) {
        log = audit.head
        publishedSize = audit.cosigned?.checkpoint.size
        cosignatures = (audit.cosigned?.cosignatures ?? [])
            .map { signature in
                "\(signature.key.name) at \(signature.cosigned.map { "\($0)" } ?? "a time that no calendar has")"
            }
        timeStamps = asksForTime ? VerifiedTimeStamps(audit) : nil
        verified = audit.problems.isEmpty
        remarks = audit.remarks
        problems = audit.problems
    }
}

/// What the comparison of files with a device's index of sealed partitions found: a line of `daybook verify --json`.
package struct VerifiedIndex: Encodable, Equatable {
    /// The file of the index.
    package let index: String
    /// The device's key in hexadecimal digits; nil when there is no index that can be read.
    package let publicKey: String?
    /// How many partitions the device has sealed, those that a server has taken included.
    package let sealed: UInt64
    /// What was lost and could not be entered in a partition yet.
    package let waiting: [LossEntry]
    /// Whether every file is there that should be, and none is another one.
    package let verified: Bool
    /// A sentence for everything that is wrong.
    package let problems: [String]

    /// Describes a finding.
    package init(_ found: IndexVerification) {
        waiting = found.waitingLosses
        index = found.path
        publicKey = found.publicKey.map { Hexadecimal.text($0) }
        sealed = found.sealedCount
        verified = found.findings.isEmpty
        problems = found.findings.map(\.description)
    }
}
