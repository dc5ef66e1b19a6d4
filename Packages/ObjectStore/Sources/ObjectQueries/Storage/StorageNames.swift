public import EventModel

/// The names of tables and columns in a realm file, quoted for SQL.
///
/// A class is a table of its name with a row key and a column for each single value. A primary key that is a required integer
/// is the row key itself and has no column: to insert a row, and to find one, goes through one tree instead of two. A link or an
/// embedded object is the row key of its target; `any` has a second column for its type. Each collection is a table of its own, named
/// `Class.property`, with the owner's row key, a position or entry key, and the value. Names with `$` are ours:
/// a Swift property cannot have one.
///
/// The value of `any` depends on its type: `Class/row` as text for a link, the key of a row of ``nested`` for a list or a
/// dictionary, the scalar itself for all others.
public enum StorageNames {
    /// The row key: an integer, unique within the class for the life of the file, or the value of the primary key.
    public static let key = "\"$key\""
    /// The row key of the object that an element of a collection belongs to.
    public static let owner = "\"$owner\""
    /// The position of a list's element: it grows along the list, may be negative, and has gaps where elements went.
    public static let position = "\"$position\""
    /// The key of a map's entry.
    public static let entryKey = "\"$entry\""
    /// The name of a list's element, which stays with it wherever it is moved; only in files that keep their changes.
    public static let element = "\"$element\""
    /// The value of an element.
    public static let value = "\"$value\""
    /// The column that tells the elements of one owner apart: the entry key in a map, else the position.
    ///
    /// A set has positions, too, in the order of insertion; they mean nothing.
    public static func label(_ property: PropertyShape) -> String {
        property.collection == .dictionary ? entryKey : position
    }
    /// The type of a value that may have any: a tag of `PackedValue`.
    public static let valueType = "\"$type\""

    /// The lists and dictionaries inside values of any type: a key; class, row and property around them; a depth.
    public static let nested = "\"$nested\""
    /// The elements of nested lists; the owner is a key of ``nested``.
    public static let nestedElements = "\"$nested.elements\""
    /// The entries of nested dictionaries; the owner is a key of ``nested``.
    public static let nestedEntries = "\"$nested.entries\""
    /// The class of the object around a nested list or dictionary.
    public static let ownerClass = "\"$class\""
    /// The stored name of the property around a nested list or dictionary.
    public static let ownerProperty = "\"$property\""
    /// How many lists and dictionaries lie around a nested one, with itself.
    public static let depth = "\"$depth\""

    /// The table of a class.
    public static func table(_ className: String) -> String {
        quoted(className)
    }

    /// The table of a collection property.
    public static func table(_ className: String, _ property: PropertyShape) -> String {
        quoted("\(className).\(property.columnName)")
    }

    /// The column of a single value that is not the row key.
    public static func column(_ property: PropertyShape) -> String {
        quoted(property.columnName)
    }

    /// The column of a single value of a class.
    package static func column(_ property: PropertyShape, of shape: ClassShape) -> String {
        if let slot = shape.rowKeySlot, shape.properties[slot].name == property.name { return key }
        return column(property)
    }

    /// The column for the type of a single `any`.
    public static func typeColumn(_ property: PropertyShape) -> String {
        quoted("\(property.columnName)$type")
    }

    /// How a value of any type holds a link to a row: one equality finds all links to it.
    public static func link(_ className: String, _ key: Int64) -> String {
        "\(className)/\(key)"
    }

    /// The tags of lists and dictionaries inside values of any type, as SQL writes them.
    public static let nestedTags = "(\(PackedValue.Tag.list.rawValue), \(PackedValue.Tag.dictionary.rawValue))"

    /// A name in double quotes, with quotes inside it doubled.
    public static func quoted(_ name: String) -> String {
        var text = "\""
        for character in name {
            text.append(character)
            if character == "\"" { text.append(character) }
        }
        return text + "\""
    }
}
