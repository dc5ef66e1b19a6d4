/// A property of a class, as a file of the original has it.
///
/// ```swift
/// for property in file.classes[0].properties { print(property.name) }
/// ```
package struct OriginalProperty {
    /// How many values there are.
    package enum Collection: Sendable {
        /// One.
        case none
        /// Several in an order.
        case list
        /// Several, each once.
        case set
        /// Several by keys.
        case dictionary
    }

    /// The name under which it is stored.
    package let name: String
    /// The type of the value, or of the elements.
    package let type: OriginalType
    /// How many values there are.
    package let collection: Collection
    /// Whether the value, or an element, may be null.
    package let isOptional: Bool
    /// Whether there is an index beyond that of a primary key.
    package let isIndexed: Bool
    /// Whether there is an index over the words of a text.
    package let isSearchable: Bool
    /// The index of the class that links lead to.
    package let target: Int?
    /// Where its arrays are named in a leaf of the class.
    let leaf: Int
    /// The values of a text property that has only a few.
    let pool: TextPool?

    /// What a value of any type is like.
    static var anything: OriginalProperty { OriginalProperty(.mixed) }
    /// What the keys of dictionaries are like.
    static var key: OriginalProperty { OriginalProperty(.string) }

    private init(_ type: OriginalType) {
        (name, self.type, collection, isOptional, target, leaf, pool) = ("", type, .none, type == .mixed, nil, 0, nil)
        (isIndexed, isSearchable) = (false, false)
    }

    init(
        name: String,
        type: OriginalType,
        attributes: Attributes,
        collection: Collection,
        target: Int?,
        leaf: Int,
        pool: TextPool?
    ) {
        self.name = name
        self.type = type
        self.collection = collection
        isOptional = attributes.contains(.nullable)
        isIndexed = attributes.contains(.indexed)
        isSearchable = attributes.contains(.searchable)
        self.target = target
        self.leaf = leaf
        self.pool = pool
    }

    /// Whether the property, or an element of it, may have a value.
    ///
    /// - Parameter value: What the file has.
    /// - Returns: False for a value that only a damaged file has here.
    @inline(__always)
    package func fits(_ value: OriginalValue) -> Bool {
        switch (type, value) {
        case (.mixed, _): true
        case (_, .null): isOptional || type == .link
        case (.int, .int), (.bool, .bool), (.float, .float), (.double, .double), (.string, .string), (.data, .data),
            (.date, .date), (.decimal, .decimal), (.objectId, .objectId), (.uuid, .uuid):
            true
        case (.link, .link(let index, _)): index == target
        default: false
        }
    }

    /// What the file says of a column beside its type.
    struct Attributes: OptionSet {
        let rawValue: Int64

        static let indexed = Attributes(rawValue: 1)
        static let nullable = Attributes(rawValue: 16)
        static let list = Attributes(rawValue: 32)
        static let dictionary = Attributes(rawValue: 64)
        static let set = Attributes(rawValue: 128)
        static let searchable = Attributes(rawValue: 256)
    }
}
