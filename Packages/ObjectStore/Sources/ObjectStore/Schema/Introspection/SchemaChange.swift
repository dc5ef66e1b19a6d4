/// One difference between the classes of a program and those of a realm file.
///
/// ``Realm/pendingSchemaChanges(for:)`` lists what opening would change; when opening is refused, the details of the
/// error are the descriptions of the changes that need a migration.
public struct SchemaChange: Sendable, Hashable {
    /// Says what differs.
    @nonexhaustive
    public enum Kind: Sendable, Hashable {
        /// The program has a class that the file does not know.
        case classAdded
        /// The file has a class that the program does not use; its objects are kept.
        case classRemoved
        /// The class became embedded, or is it no longer.
        case embeddingChanged
        /// The program has a property that the file does not know.
        case propertyAdded
        /// The file has a property that the program does not.
        case propertyRemoved
        /// The property has another type, may or may not be nil now, or became or ceased to be the primary key.
        case propertyChanged
        /// The program wants an index that the file does not have.
        case indexAdded
        /// The file has an index that the program does not want.
        case indexRemoved
    }

    /// What differs.
    public let kind: Kind
    /// The stored name of the class.
    public let className: String
    /// The stored name of the property; nil when the class as a whole differs.
    public let propertyName: String?
    /// A full sentence that says what differs.
    public let description: String

    /// Whether the change needs a higher `schemaVersion`; the others happen at any opening.
    public var needsMigration: Bool {
        switch kind {
        case .classAdded, .classRemoved, .indexAdded, .indexRemoved: false
        case .embeddingChanged, .propertyAdded, .propertyRemoved, .propertyChanged: true
        }
    }

    /// Whether instances that do not know of the change can go on using the file.
    var isAdditive: Bool {
        switch kind {
        case .classAdded, .classRemoved, .indexAdded, .indexRemoved, .propertyAdded: true
        case .embeddingChanged, .propertyRemoved, .propertyChanged: false
        }
    }
}

extension SchemaChange: CustomStringConvertible {}
