/// One embedded object or nested collection from its assignment to the next one: the value of a cell that has cells
/// inside.
///
/// Cells inside belong to their life. Whoever writes into a life that was replaced meanwhile changes nothing, so that
/// two assigned addresses are never mixed (S71, S72).
public struct Life: Sendable, Hashable {
    /// What has the cells.
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        /// An embedded object; its cells are properties.
        case embedded = 1
        /// A list inside a value of any type; its cells are elements.
        case list = 2
        /// A dictionary inside a value of any type; its cells are entries.
        case dictionary = 3
    }

    /// The name of the life; unique within the cell that holds it.
    public let id: ElementID
    /// What has the cells.
    public let kind: Kind

    /// Names a life.
    public init(_ id: ElementID, _ kind: Kind) {
        self.id = id
        self.kind = kind
    }
}
