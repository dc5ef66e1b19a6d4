/// Names one cell, or one collection, of a synced realm.
public struct CellAddress: Sendable, Hashable {
    /// The object that the cell belongs to, however deep it lies.
    public let object: ObjectAddress
    /// The way to the cell from there.
    public let path: CellPath

    /// Names a cell.
    public init(_ object: ObjectAddress, _ path: CellPath) {
        self.object = object
        self.path = path
    }

    /// Returns the address with one more step.
    public func appending(_ step: CellPath.Step) -> CellAddress { CellAddress(object, path.appending(step)) }

    /// The address without its last step.
    public var parent: CellAddress { CellAddress(object, path.parent) }
}

extension CellAddress: Comparable {
    /// Orders by object and then by path.
    public static func < (left: CellAddress, right: CellAddress) -> Bool {
        left.object == right.object ? left.path < right.path : left.object < right.object
    }
}
