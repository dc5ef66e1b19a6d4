/// What the slots of a class's snapshots mean; one instance for each class of an open file.
public final class ClassShape: Sendable {
    /// Makes the JSON text that stands for an object of the class, for the encoder of events.
    ///
    /// May throw anything; called in the background, one call at a time for each recorder.
    public typealias Representation = @Sendable (ReadObject) throws -> String

    /// The name of the class as stored.
    public let name: String
    /// The properties, by slot.
    public let properties: [PropertyShape]
    /// The slot of the primary key, or nil.
    public let primaryKeySlot: Int?
    /// Whether objects of the class live inside a parent.
    public let isEmbedded: Bool
    /// How the class wants to be shown in events, see ``CustomEventRepresentable``; nil for the usual JSON.
    public let representation: Representation?
    /// The slots sorted by the bytes of their column names: the order of keys in JSON.
    public let slotsByColumnName: [Int]
    /// How many 64-bit words the null bitmap of a row has.
    public let nullWordCount: Int
    /// Where the slots of a row begin, in bytes from the row's start.
    public let slotsOffset: Int
    /// Where the variable part of a row begins, in bytes from the row's start.
    public let variableOffset: Int

    /// Creates a shape.
    ///
    /// - Precondition: `primaryKeySlot`, if given, is a slot of `properties`.
    public init(
        name: String,
        properties: [PropertyShape],
        primaryKeySlot: Int? = nil,
        isEmbedded: Bool = false,
        representation: Representation? = nil
    ) {
        precondition(
            primaryKeySlot.map(properties.indices.contains) ?? true,
            "The primary key slot of class '\(name)' is not one of its properties."
        )
        self.name = name
        self.properties = properties
        self.primaryKeySlot = primaryKeySlot
        self.isEmbedded = isEmbedded
        self.representation = representation
        slotsByColumnName = properties.indices.sorted { left, right in
            properties[left].columnName.utf8.lexicographicallyPrecedes(properties[right].columnName.utf8)
        }
        nullWordCount = (properties.count + 63) / 64
        slotsOffset = RowHeader.byteCount + nullWordCount * 8
        variableOffset = slotsOffset + properties.count * 8
    }

    /// Returns the slot of a property by its Swift name.
    ///
    /// - Complexity: O(*n*) in the count of properties.
    public func slot(named name: String) -> Int? {
        properties.firstIndex { $0.name == name }
    }
}

/// The fixed part in front of each packed row.
@usableFromInline
package enum RowHeader {
    /// Where the row key (Int64) is.
    @usableFromInline static let key = 0
    /// Where the version (UInt64) is.
    @usableFromInline static let version = 8
    /// Where the length of the row in bytes (UInt32) is.
    @usableFromInline static let length = 16
    /// Where the flags (UInt32) are.
    @usableFromInline static let flags = 20
    /// Where the null bitmap begins.
    @usableFromInline static let byteCount = 24
}
