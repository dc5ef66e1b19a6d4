/// The fields of the collection: those of every event, and the metadata columns that arrived.
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

    /// The name of the collection.
    public let collection: String
    /// The fields.
    public let fields: [Field]

    /// Describes the collection with these metadata columns.
    public init(metadataColumns: [String]) {
        collection = "AuditEvent"
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
}
