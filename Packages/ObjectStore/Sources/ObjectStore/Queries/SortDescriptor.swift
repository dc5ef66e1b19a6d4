/// One property to order by.
public struct SortDescriptor: Sendable, Hashable {
    /// The path of the property.
    public let keyPath: String
    /// Whether small values come first.
    public let ascending: Bool

    /// Creates an order by the path of a property.
    public init(keyPath: String, ascending: Bool = true) {
        self.keyPath = keyPath
        self.ascending = ascending
    }

    /// Creates an order by a property; links to one object may be followed.
    public init<Root: KeypathSortable>(keyPath: PartialKeyPath<Root>, ascending: Bool = true) {
        self.init(keyPath: Root.name(of: keyPath), ascending: ascending)
    }

    /// The opposite order.
    public func reversed() -> SortDescriptor {
        SortDescriptor(keyPath: keyPath, ascending: !ascending)
    }
}

extension SortDescriptor: CustomStringConvertible {
    /// The path and the direction.
    public var description: String {
        "SortDescriptor (keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
    }
}

extension SortDescriptor: ExpressibleByStringLiteral {
    /// Creates an ascending order.
    public init(stringLiteral value: String) {
        self.init(keyPath: value)
    }
}
