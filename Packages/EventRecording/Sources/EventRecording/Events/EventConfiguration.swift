public import EventModel

/// How the events of a realm are recorded and where they go.
///
/// ```swift
/// configuration.eventConfiguration = EventConfiguration(metadata: ["username": "jason"], syncUser: auditor)
/// ```
///
/// The configuration of the first instance that opens a file holds for the file and the process; of later ones only
/// new metadata is taken over.
public struct EventConfiguration: Sendable {
    /// String columns that are added to each event; nil, the default, adds none.
    ///
    /// A key has 1 to 63 bytes of UTF-8 without control characters and is none of `EventMetadata.reservedKeys`. A value may be empty.
    public var metadata: [String: String]?

    /// The account that events are stored and uploaded under; nil, the default, takes the realm's own user.
    ///
    /// Without either, events stay in local files. The account may belong to another app than the realm's user.
    public var syncUser: (any EventUser)?

    /// The first part of the name of each partition, and the last folder of the path to its file; `events` by default.
    ///
    /// 1 to 128 bytes without slashes, backslashes or control characters. Partitions of another prefix are not touched.
    public var partitionPrefix: String

    /// Is given what the recorder does and what fails; nil, the default, leaves that to the realm's own logger.
    ///
    /// Called on any thread, also several at once, and never under a lock.
    public var logger: (@Sendable (SyncLogLevel, String) -> Void)?

    /// Is given errors of storing and uploading events; nil by default.
    ///
    /// Called on any thread. Without a handler an error is only logged; a fatal error of the upload is logged and then
    /// ends the process, so an app should set one.
    public var errorHandler: (@Sendable (any Error) -> Void)?

    /// Whether a query that found nothing becomes an event with an empty `value`; `false` by default.
    ///
    /// The event says what was asked for as `where`: the condition with its values, and the order; see <doc:Combining>.
    /// Auditors who ask what a user searched for in vain need it; it adds an event for each such query.
    public var recordsEmptyQueries: Bool

    /// Which reads of a scope become events; ``RecordedReads/shown`` by default.
    ///
    /// The first opening of a file in a process decides.
    public var recordedReads: RecordedReads

    /// Which reads of a scope become events.
    @frozen
    public enum RecordedReads: Sendable, Hashable {
        /// Every object that a query, a link or a look-up hands out in the scope, and every other one of which a property is read.
        ///
        /// Others are objects that were got before the scope began, those of notifications, and those that another writer
        /// changed while the program held them. The first access of an object in a scope reads its row once more.
        case shown
        /// What queries, links and look-ups hand out in the scope, and nothing else: the original's rule.
        ///
        /// An object that the program got before the scope is shown without leaving an event.
        case handedOut
    }

    /// What becomes of scopes that were active when the process ended; ``CrashPolicy/keep`` by default.
    public var crashPolicy: CrashPolicy

    /// What becomes of scopes that were active when the process ended, by a crash or in another way.
    ///
    /// Applied when the next process opens the realm, or another one that records into the same folder. Scopes that were
    /// committed are stored under either policy.
    @frozen
    public enum CrashPolicy: Sendable, Hashable {
        /// Stores the events that were captured before the end, marked as interrupted.
        ///
        /// At most the last 100 ms or 256 KiB of captures before a crash are missing; a power cut may cost more.
        case keep
        /// Throws the events of these scopes away, as if they had been cancelled: evidence of what was seen is lost.
        case discard
    }

    /// How events show binary data; `.excluded`, the default, leaves it out and shows only that it changed.
    ///
    /// `.sha256` adds a digest of 64 characters wherever data is, `.base64` the data itself, four characters for three bytes.
    public var dataRepresentation: DataRepresentation

    /// The folder below which event files lie, as an absolute path; nil, the default, means beside the realm's file.
    ///
    /// Files lie in `<directory>/realm-audit/<app id>/<user id>/<prefix>/`. Files of another folder are not looked for.
    public var directory: String?

    /// How much of the account's events may wait on the device, and what happens to more; 512 MiB and refusal by default.
    ///
    /// At the limit, completions get ``RecordingError/quotaExceeded(count:byteCount:used:quota:)``, or the oldest events go, as
    /// the policy says. Either is entered in the loss ledger, which the next seal signs. At least 256 KiB.
    public var quota: EventQuota

    /// How long closed partitions are kept when no account takes them; for ever, within the quota, by default.
    ///
    /// What goes is entered in the loss ledger. With an account, files are deleted only when the server has proven to hold
    /// them, whatever this says. At least a minute and a byte.
    public var retention: EventRetention

    /// When events are synced to the disk; before a completion is called by default.
    ///
    /// The other levels are faster and cost the last events when the power fails; see `EventDurability`.
    public var durability: EventDurability

    /// The size in bytes that an event file does not grow beyond, except by one event; 256 MiB by default.
    ///
    /// A larger file means fewer of them; a smaller one is uploaded and deleted sooner, because a file goes only as a whole.
    /// From 64 KiB to 64 GiB.
    public var partitionBytes: UInt64

    /// How long an event file with events in it stays open when an account takes them; an hour by default.
    ///
    /// What is in an open file is uploaded, and not signed by the device yet: only when it is closed does the server's log have it. A
    /// shorter time means more and smaller files. From 15 minutes to a day; without an account a file is closed when it is full, or
    /// when the program says so.
    public var partitionDuration: Duration

    /// The key that event files and the journals of open scopes are encrypted with; nil, the default, leaves them readable.
    ///
    /// Without the key nobody can read the files, `daybook` included: keep it where the program's other secrets are. A file
    /// keeps the key that it was begun with. Files of another key stay where they are, and are reported.
    public var encryptionKey: EventEncryptionKey?

    /// Creates a configuration; every value has a default.
    public init(
        metadata: [String: String]? = nil,
        syncUser: (any EventUser)? = nil,
        partitionPrefix: String = "events",
        logger: (@Sendable (SyncLogLevel, String) -> Void)? = nil,
        errorHandler: (@Sendable (any Error) -> Void)? = nil,
        recordsEmptyQueries: Bool = false,
        recordedReads: RecordedReads = .shown,
        crashPolicy: CrashPolicy = .keep,
        dataRepresentation: DataRepresentation = .excluded,
        directory: String? = nil,
        quota: EventQuota = EventQuota(),
        retention: EventRetention = .everything,
        durability: EventDurability = .eachCommit,
        partitionBytes: UInt64 = 256 << 20,
        partitionDuration: Duration = .seconds(3600),
        encryptionKey: EventEncryptionKey? = nil
    ) {
        self.metadata = metadata
        self.syncUser = syncUser
        self.partitionPrefix = partitionPrefix
        self.logger = logger
        self.errorHandler = errorHandler
        self.recordsEmptyQueries = recordsEmptyQueries
        self.recordedReads = recordedReads
        self.crashPolicy = crashPolicy
        self.dataRepresentation = dataRepresentation
        self.directory = directory
        self.quota = quota
        self.retention = retention
        self.durability = durability
        self.partitionBytes = partitionBytes
        self.partitionDuration = partitionDuration
        self.encryptionKey = encryptionKey
    }

    /// Checks the prefix, then the metadata, then the numbers.
    ///
    /// - Throws: `EventModelError.invalidPartitionPrefix`, `EventModelError.invalidMetadataKey` or
    ///   `EventModelError.invalidParameter`.
    public func validate() throws(EventModelError) {
        try PartitionID.checkPrefix(partitionPrefix)
        _ = try checkedMetadata()
        try quota.validate()
        try retention.validate()
        try durability.validate()
        guard (64 << 10...64 << 30).contains(partitionBytes) else {
            throw .invalidParameter("partitionBytes", reason: "\(partitionBytes) is not from 64 KiB to 64 GiB")
        }
        guard (Duration.seconds(15 * 60)...(.seconds(24 * 60 * 60))).contains(partitionDuration) else {
            throw .invalidParameter("partitionDuration", reason: "\(partitionDuration) is not from 15 minutes to a day")
        }
    }

    /// Returns the metadata, checked and encoded.
    func checkedMetadata() throws(EventModelError) -> EventMetadata {
        guard let metadata else { return .empty }
        let checked = try EventMetadata(metadata)
        try checked.checkSize()
        return checked
    }
}
