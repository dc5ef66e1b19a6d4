/// How much of each object is read; what is beyond is left out as a cut value.
///
/// ```swift
/// try window.forEachObject(of: RealmWindow.Selection("Patient"), within: .row) { print($0.line) }
/// ```
/// A list of a million links is then a few of them and the number, and costs what they cost.
public struct WindowBounds: Sendable, Hashable {
    /// How many elements each collection has at most.
    public var elements: Int
    /// How many Unicode scalars a text and how many bytes data have at most.
    public var length: Int
    /// How many scalars and bytes all texts and data of an object have together at most.
    public var total: Int
    /// How deep collections and embedded objects lie in each other at most.
    public var depth: Int
    /// How many values an object has at most, those of collections and embedded objects among them.
    public var values: Int

    /// Creates bounds.
    public init(elements: Int, length: Int, total: Int, depth: Int, values: Int) {
        self.elements = elements
        self.length = length
        self.total = total
        self.depth = depth
        self.values = values
    }

    /// Nothing is left out, as in an export.
    public static let everything: WindowBounds = WindowBounds(
        elements: .max,
        length: .max,
        total: .max,
        depth: .max,
        values: .max
    )
    /// What a row of a table has room for.
    public static let row: WindowBounds = WindowBounds(
        elements: 3,
        length: 200,
        total: 10_000,
        depth: 2,
        values: 500
    )
    /// What the page of one object has room for.
    public static let page: WindowBounds = WindowBounds(
        elements: 500,
        length: 100_000,
        total: 1_000_000,
        depth: 8,
        values: 5000
    )
}
