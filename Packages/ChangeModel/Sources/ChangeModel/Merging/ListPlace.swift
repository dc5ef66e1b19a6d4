/// A place in a list, anchored to the place on its right.
///
/// Places with the same anchor stand in the order of their stamps, each behind those that are anchored to it. So the
/// order of a list is the walk of a tree, children before their parent, and what several devices append stands in the
/// order of time. A place stays where it is for ever; an element that is moved takes another one, and what was inserted
/// before it stays.
public struct ListPlace: Sendable, Hashable {
    /// When the place was made; it is the name of the place, too.
    public let stamp: Stamp
    /// The place on the right; nil for the end of the list.
    public let anchor: Stamp?
    /// The element that stands here, or stood.
    public let element: ElementID
    /// The number in the server's order at which the place was made.
    public let number: Int

    /// Creates a place.
    public init(stamp: Stamp, anchor: Stamp?, element: ElementID, number: Int) {
        self.stamp = stamp
        self.anchor = anchor
        self.element = element
        self.number = number
    }
}

/// What the server keeps of one element of a list beside its value, which is a cell.
public struct ListElement: Sendable, Hashable {
    /// When it was inserted; a clearing that is newer takes it away.
    public var inserted: Stamp
    /// Whether somebody removed it, which nothing undoes.
    public var isRemoved: Bool
    /// Every place that it had, in the order of their arrival.
    public var places: [ListPlace]

    /// Creates an element.
    public init(inserted: Stamp, isRemoved: Bool = false, places: [ListPlace]) {
        self.inserted = inserted
        self.isRemoved = isRemoved
        self.places = places
    }

    /// Where it stands: the newest of its places.
    ///
    /// - Complexity: O(*n*) in the moves of the element.
    public var place: ListPlace? { places.max { $0.stamp < $1.stamp } }

    /// Returns where a file saw it that was at a position: the newest place among those that arrived by then and its
    /// own.
    ///
    /// - Complexity: O(*n*) in the moves of the element.
    public func place(seenBy file: UInt32, at base: Int) -> ListPlace? {
        places.filter { $0.number <= base || $0.stamp.file == file }.max { $0.stamp < $1.stamp }
    }
}
