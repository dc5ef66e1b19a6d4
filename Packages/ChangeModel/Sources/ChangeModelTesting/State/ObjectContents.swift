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
    /// The places by what they are anchored to, each in ascending order.
    private var siblings: [Stamp?: [Stamp]] = [:]

    mutating func add(_ place: ListPlace) {
        places[place.stamp] = place
        let index = self.index(of: place.stamp, anchor: place.anchor)
        siblings[place.anchor, default: []].insert(place.stamp, at: index)
    }

    func first(anchoredTo anchor: Stamp?) -> ListPlace? {
        siblings[anchor]?.first.flatMap { places[$0] }
    }

    func next(after place: ListPlace) -> ListPlace? {
        guard let stamps = siblings[place.anchor] else { return nil }
        let index = self.index(of: place.stamp, anchor: place.anchor) + 1
        return index < stamps.count ? places[stamps[index]] : nil
    }

    /// The index of a place among those with its anchor, or the one at which it would be.
    private func index(of stamp: Stamp, anchor: Stamp?) -> Int {
        let stamps = siblings[anchor] ?? []
        var range = 0..<stamps.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = stamps[middle] < stamp ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
