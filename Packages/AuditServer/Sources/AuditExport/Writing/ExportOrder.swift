public import AuditFormats
public import AuditModel
public import AuditVerifying
public import EventModel

/// What is to be exported, for whom and as what.
public struct ExportOrder: Sendable {
    /// The formats.
    public var formats: Set<ExportFormat>
    /// The filter by the names of its parameters, for the manifest.
    public var filter: [String: String]  // TEXT: names of parameters, checked by FilterReading.
    /// The metadata columns that the spreadsheet has.
    public var columns: [String]
    /// When the export was begun.
    public var created: EventInstant
    /// The id of the export; nil of files.
    public var id: String?
    /// Who asked for it; nil of files.
    public var author: ExportManifest.Author?
    /// Why, in the words of who asked.
    public var reason: String?
    /// The log that the server publishes; nil of files, and of a server that publishes none.
    public var log: PublishedLog?
    /// The keys of devices that are not believed from a time on; the export names those that have sealed partitions of it.
    public var revokedKeys: [RevokedKey]
    /// The key of the server, whose key of exports signs the manifest; nil of files, which no server answers for.
    public var key: SigningKey?

    /// Describes an export.
    public init(
        formats: Set<ExportFormat>,
        // TEXT: as above.
        filter: [String: String],
        columns: [String],
        created: EventInstant,
        id: String? = nil,
        author: ExportManifest.Author? = nil,
        reason: String? = nil,
        log: PublishedLog? = nil,
        revokedKeys: [RevokedKey] = [],
        key: SigningKey? = nil
    ) {
        self.formats = formats
        self.filter = filter
        self.columns = columns
        self.created = created
        self.id = id
        self.author = author
        self.reason = reason
        self.log = log
        self.revokedKeys = revokedKeys
        self.key = key
    }
}

/// How far an export is.
public struct ExportProgress: Sendable, Hashable, Codable {
    /// How many events were looked at.
    public var examined: UInt64 = 0
    /// How many there are to be looked at.
    public var total: UInt64 = 0
    /// How many fit and were written.
    public var events: UInt64 = 0
    /// How many bytes were written.
    public var bytes: UInt64 = 0

    /// Describes the beginning.
    public init() {}
}
