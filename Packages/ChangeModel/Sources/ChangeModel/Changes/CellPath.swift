public import EventModel

/// The way from an object to one of its cells or collections.
///
/// ```
/// name                     the property
/// address / life / city    the property of the embedded object that was assigned last when the author looked
/// tags / "k"               the entry of a map
/// notes / element          the value of an element
/// ```
///
/// The first step is a property. What lies inside an embedded object or a nested collection is reached through its
/// ``Life``, so that a write never lands in another object than its author saw.
public struct CellPath: Sendable, Hashable {
    /// How many steps a path may have: nested collections end there.
    public static let maximumDepth = 200

    /// One step.
    public enum Step: Sendable, Hashable {
        /// A property, by its stored name.
        case property(ExactText)
        /// Into the embedded object or collection that the cell holds.
        case life(ElementID)
        /// An entry of a map.
        case key(ExactText)
        /// An element of a list.
        case element(ElementID)
        /// A member of a set.
        case member(CellValue)
    }

    /// The steps, the outermost first.
    public let steps: [Step]

    /// Creates a path.
    public init(steps: [Step]) { self.steps = steps }

    /// The path of a property of the object itself.
    public init(_ property: ExactText) { steps = [.property(property)] }

    /// Returns the path with one more step.
    public func appending(_ step: Step) -> CellPath { CellPath(steps: steps + [step]) }

    /// The path without its last step.
    public var parent: CellPath { CellPath(steps: Array(steps.dropLast())) }

    /// Returns whether this path is longer than another one and begins with it.
    public func isBelow(_ other: CellPath) -> Bool {
        steps.count > other.steps.count && steps.starts(with: other.steps)
    }
}

extension CellPath: ExpressibleByStringLiteral {
    /// The path of a property of the object itself.
    public init(stringLiteral value: String) { self.init(ExactText(value)) }
}

// MARK: - Shape

extension CellPath {
    /// Whether the path leads to a cell that is written by itself: a property, an entry or an element.
    public var isCell: Bool {
        switch steps.last {
        case .property, .key, .element: isWellFormed
        case .life, .member, nil: false
        }
    }

    /// Whether the path leads to where a collection may be: a property, or the inside of a nested collection.
    public var isCollection: Bool {
        switch steps.last {
        case .property, .life: isWellFormed
        case .key, .element, .member, nil: false
        }
    }

    /// Whether each step may follow the one before it.
    private var isWellFormed: Bool {
        guard case .property = steps.first, steps.count <= Self.maximumDepth else { return false }
        return zip(steps, steps.dropFirst())
            .allSatisfy { before, next in
                switch (before, next) {
                case (.property, .life), (.property, .key), (.property, .element): true
                case (.element, .life), (.key, .life): true
                case (.life, .property), (.life, .key), (.life, .element): true
                default: false
                }
            }
    }
}

// MARK: - Order

extension CellPath: Comparable {
    /// Orders by steps; a path comes before those below it.
    public static func < (left: CellPath, right: CellPath) -> Bool { left.steps.lexicographicallyPrecedes(right.steps) }
}

extension CellPath.Step: Comparable {
    /// Orders by kind and then by name.
    public static func < (left: CellPath.Step, right: CellPath.Step) -> Bool {
        switch (left, right) {
        case (.property(let left), .property(let right)), (.key(let left), .key(let right)): left < right
        case (.life(let left), .life(let right)), (.element(let left), .element(let right)): left < right
        case (.member(let left), .member(let right)): left < right
        default: left.rank < right.rank
        }
    }

    private var rank: Int {
        switch self {
        case .property: 0
        case .life: 1
        case .key: 2
        case .element: 3
        case .member: 4
        }
    }
}
