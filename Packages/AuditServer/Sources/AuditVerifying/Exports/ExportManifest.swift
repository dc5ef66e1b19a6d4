public import AuditFormats
import AuditModel
public import EventModel
public import EventProofs

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
public import Foundation
#endif

/// What an export is of, and which files belong to it: the file `manifest.json`.
///
/// Its bytes are what the server signs, see ``ExportSignature``.
public struct ExportManifest: Sendable, Hashable, Codable {
    /// A file of the export.
    public struct File: Sendable, Hashable, Codable {
        /// The name.
        public let name: String
        /// The form of the events in it; nil of what is no list of events.
        public let format: ExportFormat?
        /// The size.
        public let bytes: UInt64
        /// The SHA-256 of the bytes.
        public let sha256: Digest

        package init(name: String, format: ExportFormat?, bytes: UInt64, sha256: Digest) {
            self.name = name
            self.format = format
            self.bytes = bytes
            self.sha256 = sha256
        }
    }

    /// Who asked for an export.
    public struct Author: Sendable, Hashable, Codable {
        /// The role of the token.
        public let role: String
        /// The id of the token; nil of the one in the server's data folder.
        public let token: String?
        /// The apps that the token is bounded to; nil when it is to none.
        public let apps: [String]?

        /// Describes the author.
        public init(role: String, token: String?, apps: [String]?) {
            self.role = role
            self.token = token
            self.apps = apps
        }
    }

    /// The version of the whole form that this code writes.
    ///
    /// Version 1 had a head of the log in the manifest, where there is a published checkpoint now, version 2 neither time-stamps nor
    /// revoked keys, and up to version 3 the key of receipts signed it, and the program in the cover knows no devices that sign with P-256;
    /// all are still verified.
    public static let currentVersion = 4
    /// The last version that the server signed with its key of receipts.
    static let lastSignedLikeReceipts = 3
    /// The name of the file.
    public static let fileName = "manifest.json"
    /// The name of the file of proofs.
    public static let proofsName = "proofs.jsonl"
    /// The name of the file with the published checkpoint of the server's log.
    public static let checkpointName = "checkpoint"
    /// The name of the file with a checkpoint of the same log that an authority of time has seen.
    public static let stampedName = "time-stamp.checkpoint"
    /// The name of the file with what that authority answered.
    public static let stampName = "time-stamp.tsr"
    /// The name of the page that people read first.
    public static let coverName = "cover.html"

    /// The version of the whole form.
    public let version: Int
    /// The version of the mappings to formats.
    public let formatVersion: Int
    /// The id that the server gave the export; nil of files.
    public let id: String?
    /// When the export was begun; what arrived later is not in it.
    public let created: EventInstant
    /// Who asked for it; nil of files.
    public let author: Author?
    /// Why, in the words of who asked.
    public let reason: String?
    /// The filter by the names of its parameters; empty when every event fits.
    public let filter: [String: String]  // TEXT: names of parameters, checked by FilterReading.
    /// How many events there are.
    public let events: UInt64
    /// How many of these are not what was received: the bytes and the leaf hash differ, or there are none.
    public let changedEvents: UInt64
    /// How many of these have masked fields, so that their bytes are not in the export.
    public let maskedEvents: UInt64
    /// How many of these were erased before, so that only their place, their owner and their hash are in the export.
    public let erasedEvents: UInt64
    /// How many partitions the events are of.
    public let partitions: UInt64
    /// How many of these no device has sealed yet.
    public let openPartitions: UInt64
    /// The metadata columns that the spreadsheet has, in order.
    public let columns: [String]
    /// The files.
    public let files: [File]
    /// The server's key of receipts, 32 bytes, which is another one than the key that signed the manifest; nil of files, and up to version 3.
    public let receiptKey: [UInt8]?
    /// The key of the log that the server publishes, as `name+id+key`; nil of files, and of a server that publishes none.
    public let logKey: String?
    /// That the checkpoint and the time-stamped one are of one log; nil when they are of one size, and without a time-stamp.
    public let consistency: ConsistencyProof?
    /// The keys that seal partitions of the export, and that are not believed from a time on, as an administrator of the server said.
    public let revokedKeys: [RevokedKey]
    /// The head of the server's log in an export of version 1; nil of later ones.
    public let treeHead: TreeHead?
    /// Whether a server signed the manifest; false of files, which no server answers for.
    public let isSigned: Bool

    package init(
        version: Int,
        formatVersion: Int,
        id: String?,
        created: EventInstant,
        author: Author?,
        reason: String?,
        filter: [String: String],
        events: UInt64,
        changedEvents: UInt64,
        maskedEvents: UInt64,
        erasedEvents: UInt64,
        partitions: UInt64,
        openPartitions: UInt64,
        columns: [String],
        files: [File],
        receiptKey: [UInt8]?,
        logKey: String?,
        consistency: ConsistencyProof?,
        revokedKeys: [RevokedKey],
        isSigned: Bool
    ) {
        self.version = version
        self.formatVersion = formatVersion
        self.id = id
        self.created = created
        self.author = author
        self.reason = reason
        self.filter = filter
        self.events = events
        self.changedEvents = changedEvents
        self.maskedEvents = maskedEvents
        self.erasedEvents = erasedEvents
        self.partitions = partitions
        self.openPartitions = openPartitions
        self.columns = columns
        self.files = files
        self.receiptKey = receiptKey
        self.logKey = logKey
        self.consistency = consistency
        self.revokedKeys = revokedKeys
        treeHead = nil
        self.isSigned = isSigned
    }

    /// The names that files without a format may have in exports of this version.
    package var otherNames: [String] {
        switch version {
        case 1: [Self.proofsName]
        case 2: [Self.proofsName, Self.checkpointName, Self.coverName]
        default: [Self.proofsName, Self.checkpointName, Self.stampedName, Self.stampName, Self.coverName]
        }
    }

    /// The bytes of the file.
    ///
    /// - Throws: What the encoder throws.
    package func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return Array(try encoder.encode(self)) + [0x0A]
    }

    private enum CodingKeys: String, CodingKey {
        case version, formatVersion, id, created, author, reason, filter, events, changedEvents, maskedEvents,
            erasedEvents, partitions
        case openPartitions, columns, files, receiptKey, logKey, consistency, revokedKeys, treeHead, isSigned
    }
}

extension ExportManifest {
    /// Reads a manifest; nothing of it is checked but its form.
    ///
    /// - Throws: `DecodingError` when a field is missing or has another form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(Int.self, forKey: .version)
        formatVersion = try container.decode(Int.self, forKey: .formatVersion)
        id = try container.decodeIfPresent(String.self, forKey: .id)
        created = try EventInstant(text: .created, in: container)
        author = try container.decodeIfPresent(Author.self, forKey: .author)
        reason = try container.decodeIfPresent(String.self, forKey: .reason)
        // TEXT: as above.
        filter = try container.decode([String: String].self, forKey: .filter)
        events = try container.decode(UInt64.self, forKey: .events)
        changedEvents = try container.decode(UInt64.self, forKey: .changedEvents)
        maskedEvents = try container.decode(UInt64.self, forKey: .maskedEvents)
        erasedEvents = try container.decode(UInt64.self, forKey: .erasedEvents)
        partitions = try container.decode(UInt64.self, forKey: .partitions)
        openPartitions = try container.decode(UInt64.self, forKey: .openPartitions)
        columns = try container.decode([String].self, forKey: .columns)
        files = try container.decode([File].self, forKey: .files)
        receiptKey = try container.contains(.receiptKey) ? Hexadecimal.bytes(.receiptKey, in: container) : nil
        logKey = try container.decodeIfPresent(String.self, forKey: .logKey)
        consistency = try container.decodeIfPresent(ConsistencyProof.self, forKey: .consistency)
        revokedKeys = try container.decodeIfPresent([RevokedKey].self, forKey: .revokedKeys) ?? []
        treeHead = try container.decodeIfPresent(TreeHead.self, forKey: .treeHead)
        isSigned = try container.decode(Bool.self, forKey: .isSigned)
    }

    /// Writes a manifest, its time in ISO 8601.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(formatVersion, forKey: .formatVersion)
        try container.encodeIfPresent(id, forKey: .id)
        try container.encode(created.description, forKey: .created)
        try container.encodeIfPresent(author, forKey: .author)
        try container.encodeIfPresent(reason, forKey: .reason)
        try container.encode(filter, forKey: .filter)
        try container.encode(events, forKey: .events)
        try container.encode(changedEvents, forKey: .changedEvents)
        try container.encode(maskedEvents, forKey: .maskedEvents)
        try container.encode(erasedEvents, forKey: .erasedEvents)
        try container.encode(partitions, forKey: .partitions)
        try container.encode(openPartitions, forKey: .openPartitions)
        try container.encode(columns, forKey: .columns)
        try container.encode(files, forKey: .files)
        try container.encodeIfPresent(receiptKey.map { Hexadecimal.text($0) }, forKey: .receiptKey)
        try container.encodeIfPresent(logKey, forKey: .logKey)
        try container.encodeIfPresent(consistency, forKey: .consistency)
        if !revokedKeys.isEmpty { try container.encode(revokedKeys, forKey: .revokedKeys) }
        try container.encodeIfPresent(treeHead, forKey: .treeHead)
        try container.encode(isSigned, forKey: .isSigned)
    }
}
