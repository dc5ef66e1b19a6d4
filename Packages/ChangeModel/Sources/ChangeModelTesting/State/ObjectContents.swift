import ChangeModel

/// Everything that belongs to one object.
struct ObjectContents: Sendable, Equatable {
    var cells: [CellPath: Cell] = [:]
    var clearings: [CellPath: Stamp] = [:]
    var lists: [CellPath: ListPlaces] = [:]

    /// Forgets the collections that lie below a path.
    mutating func removeCollections(below path: CellPath) {
        clearings = clearings.filter { !$0.key.isBelow(path) }
        lists = lists.filter { !$0.key.isBelow(path) }
    }
}

/// The elements of one list and the places that they ever had.
struct ListPlaces: Sendable, Equatable {
    var elements: [ElementID: ListElement] = [:]
    private(set) var places: [Stamp: ListPlace] = [:]
    /// The names of the places by what they are anchored to.
    private var siblings: [Stamp?: SortedStamps] = [:]

    mutating func add(_ place: ListPlace) {
        places[place.stamp] = place
        siblings[place.anchor, default: SortedStamps()].insert(place.stamp)
    }

    func first(anchoredTo anchor: Stamp?) -> ListPlace? {
        siblings[anchor]?.first.flatMap { places[$0] }
    }

    func next(after place: ListPlace) -> ListPlace? {
        siblings[place.anchor]?.next(after: place.stamp).flatMap { places[$0] }
    }
}
