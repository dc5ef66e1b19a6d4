public import Foundation

/// A value of an object as tools show and export it.
public indirect enum WindowValue: Sendable, Equatable {
    /// No value.
    case null
    /// A truth value.
    case bool(Bool)
    /// An integer of any width.
    case int(Int)
    /// A number of 32 bits.
    case float(Float)
    /// A number of 64 bits.
    case double(Double)
    /// A decimal of 34 digits, as text.
    case decimal(String)
    /// A text.
    case text(String)
    /// Raw bytes.
    case data(Data)
    /// An instant.
    case date(Date)
    /// An id of twelve bytes, as 24 hexadecimal digits.
    case objectId(String)
    /// An id of sixteen bytes.
    case uuid(UUID)
    /// A list or a set.
    case list([WindowValue])
    /// A map, in the order of its keys.
    case map([Entry])
    /// A link to an object.
    case link(WindowLink)
    /// An embedded object: the values of its properties, and of which class it is where the property does not say so.
    case object([Entry])
    /// The beginning of a value that was read within bounds, and of how many elements, bytes or Unicode scalars.
    case cut(WindowValue, of: Int)

    /// A key or a property with its value.
    public struct Entry: Sendable, Equatable {
        /// The key, or the stored name of the property.
        public let name: String
        /// The value.
        public let value: WindowValue

        /// Creates an entry.
        public init(_ name: String, _ value: WindowValue) {
            self.name = name
            self.value = value
        }
    }
}

/// The object that a link leads to: by its primary key, or by the number of its row in a class that has no primary key.
public struct WindowLink: Sendable, Equatable {
    /// The class.
    public let className: String
    /// The primary key; nil in a class without one.
    public let key: WindowValue?
    /// The number of the row, which holds in this file only.
    public let row: Int64

    /// Names an object.
    public init(className: String, key: WindowValue?, row: Int64) {
        self.className = className
        self.key = key
        self.row = row
    }
}

/// An object of a realm file, read whole.
public struct WindowObject: Sendable, Equatable {
    /// Its class, and how others name it.
    public let link: WindowLink
    /// The values of its properties, in the order of the file.
    public let values: [WindowValue.Entry]

    /// The value of a property; nil when the class does not have it.
    public subscript(name: String) -> WindowValue? { values.first { $0.name == name }?.value }
}
