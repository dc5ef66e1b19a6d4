import EventModel

/// The fields of an app's collection: those of every event, and its metadata columns.
public struct EventSchema: Sendable, Hashable, Codable {
    /// One field.
    public struct Field: Sendable, Hashable, Codable {
        /// The name.
        public let name: String
        /// The type: `objectId`, `string` or `date`.
        public let type: String
        /// Whether every event has it.
        public let required: Bool
    }

    /// The name of every app's collection.
    public static let collectionName = "AuditEvent"
    /// The most metadata columns that a collection may have.
    public static let maximumMetadataColumns = 500

    /// The app whose collection it is; nil for events in files.
    public let app: String?
    /// The name of the collection.
    public let collection: String
    /// The fields.
    public let fields: [Field]

    /// Describes the collection of an app with these metadata columns.
    public init(app: String? = nil, metadataColumns: [String]) {
        self.app = app
        collection = Self.collectionName
        fields =
            [
                Field(name: "_id", type: "objectId", required: true),
                Field(name: "_partition", type: "string", required: true),
                Field(name: "activity", type: "string", required: true),
                Field(name: "event", type: "string", required: false),
                Field(name: "data", type: "string", required: false),
                Field(name: "timestamp", type: "date", required: true),
            ] + metadataColumns.map { Field(name: $0, type: "string", required: false) }
    }

    /// The names of the metadata columns: the fields behind the six that every collection has.
    public var metadataColumns: [String] { fields.dropFirst(6).map(\.name) }

    /// Returns the metadata columns of several apps, each name once.
    public static func allColumns(of schemas: [EventSchema]) -> [String] {
        var known: Set<ExactText> = []
        return schemas.flatMap(\.metadataColumns).filter { known.insert(ExactText($0)).inserted }
    }

    /// Checks names that somebody wants for metadata columns.
    ///
    /// - Throws: ``AuditServerError/rejected(reason:)`` for a name that no metadata key may have, see `EventMetadata`.
    public static func check(metadataColumns: [String]) throws(AuditServerError) {
        for column in metadataColumns {
            do {
                _ = try EventMetadata([column: ""])
            } catch {
                throw .rejected(
                    reason: "a metadata column has 1 to 63 bytes, no control characters, and no name of a field"
                )
            }
        }
    }
}
