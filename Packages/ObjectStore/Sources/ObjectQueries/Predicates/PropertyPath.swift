/// The names of properties that lead from an object to a value, such as `dog` and `age`.
///
/// A component is the Swift name of a property, or its stored name where no property has that Swift name.
public struct PropertyPath: Sendable, Hashable {
    /// The names, from the object outwards; empty for the object or element itself.
    public var components: [String]

    /// Creates a path from its names.
    public init(_ components: [String]) {
        self.components = components
    }

    /// The object or element itself.
    public static let itself = PropertyPath([])

    /// The path that goes one property further.
    public func appending(_ component: String) -> PropertyPath {
        PropertyPath(components + [component])
    }
}

extension PropertyPath: ExpressibleByArrayLiteral {
    /// Creates a path from its names.
    public init(arrayLiteral elements: String...) {
        self.init(elements)
    }
}

extension PropertyPath: ExpressibleByStringLiteral {
    /// Creates a path from names with dots between them.
    public init(stringLiteral value: String) {
        self.init(dotted: value)
    }

    /// Creates a path from names with dots between them.
    public init(dotted text: String) {
        self.init(text.isEmpty ? [] : text.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
    }
}

extension PropertyPath: CustomStringConvertible {
    /// The names with dots between them; `self` for the empty path.
    public var description: String {
        components.isEmpty ? "self" : components.joined(separator: ".")
    }
}
