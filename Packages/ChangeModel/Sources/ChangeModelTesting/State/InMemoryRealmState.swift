public import ChangeModel

/// The state of a realm in dictionaries: an honest implementation for tests.
public struct InMemoryRealmState: RealmState, Sendable, Equatable {
    /// The number of the newest entry.
    public private(set) var head = 0
    private var files: [UInt32: FileProgress] = [:]
    /// The greatest time up to each entry.
    private var clocks: [HybridClock] = []
    /// The number of the first entry whose time is kept; 0 where all are.
    private var firstClock = 0
    private var existences: [ObjectAddress: Existence] = [:]
    private var contents: [ObjectAddress: ObjectContents] = [:]
    private var links: [ObjectAddress: Set<CellAddress>] = [:]

    /// Creates the state of a new realm.
    public init() {}

    /// The objects that were ever heard of, in order.
    public var objects: [ObjectAddress] { existences.keys.sorted() }

    /// Returns what was taken of a file.
    public func progress(of file: UInt32) -> FileProgress { files[file] ?? FileProgress() }

    /// Notes that a change of a file took the next number.
    public mutating func advance(_ file: UInt32, to progress: FileProgress) {
        files[file] = progress
        head += 1
        clocks.append((clocks.last ?? .zero).hearing(progress.clock))
    }

    /// Returns the greatest time among all entries up to a number; nil for none, and where it is forgotten.
    public func latestClock(through number: Int) -> HybridClock? {
        number >= firstClock && clocks.indices.contains(number - 1) ? clocks[number - 1] : nil
    }

    /// Forgets the times up to the entries before one, as a log does that is shortened.
    public mutating func forgetClocks(before number: Int) { firstClock = max(firstClock, number) }

    /// Returns whether an object is there, and its marks.
    public func existence(of object: ObjectAddress) -> Existence { existences[object] ?? Existence() }

    /// Keeps whether an object is there, and its marks.
    public mutating func setExistence(_ existence: Existence, of object: ObjectAddress) {
        existences[object] = existence
    }
}

// MARK: - Cells

extension InMemoryRealmState {
    /// Returns a cell.
    public func cell(at address: CellAddress) -> Cell? { contents[address.object]?.cells[address.path] }

    /// Keeps a cell, or forgets it, and whom it links to.
    public mutating func setCell(_ cell: Cell?, at address: CellAddress) {
        let former = contents[address.object, default: ObjectContents()].cells[address.path]
        contents[address.object, default: ObjectContents()].cells[address.path] = cell
        if let target = former?.value?.target { links[target]?.remove(address) }
        if let target = cell?.value?.target { links[target, default: []].insert(address) }
    }

    /// Returns the paths of all cells below an address, in order.
    ///
    /// - Complexity: O(*n* log *n*) in the cells of the object.
    public func cellPaths(below address: CellAddress) -> [CellPath] {
        (contents[address.object]?.cells.keys.filter { $0.isBelow(address.path) } ?? []).sorted()
    }

    /// Forgets everything strictly below an address.
    ///
    /// - Complexity: O(*n* log *n*) in the cells of the object.
    public mutating func removeContents(below address: CellAddress) {
        for path in cellPaths(below: address) { setCell(nil, at: CellAddress(address.object, path)) }
        contents[address.object]?.removeCollections(below: address.path)
    }

    /// Returns the addresses of all cells that link to an object, in order.
    public func referrers(of object: ObjectAddress) -> [CellAddress] { (links[object] ?? []).sorted() }

    /// Returns when a collection was cleared the last time.
    public func clearing(of collection: CellAddress) -> Stamp? {
        contents[collection.object]?.clearings[collection.path]
    }

    /// Keeps when a collection was cleared.
    public mutating func setClearing(_ stamp: Stamp, of collection: CellAddress) {
        contents[collection.object, default: ObjectContents()].clearings[collection.path] = stamp
    }
}

// MARK: - Lists

extension InMemoryRealmState {
    /// Returns an element of a list.
    public func element(_ id: ElementID, of list: CellAddress) -> ListElement? {
        places(of: list)?.elements[id]
    }

    /// Keeps an element of a list.
    public mutating func setElement(_ element: ListElement, _ id: ElementID, of list: CellAddress) {
        contents[list.object, default: ObjectContents()].lists[list.path, default: ListPlaces()].elements[id] = element
    }

    /// Adds a place to a list.
    public mutating func addPlace(_ place: ListPlace, to list: CellAddress) {
        contents[list.object, default: ObjectContents()].lists[list.path, default: ListPlaces()].add(place)
    }

    /// Returns a place by its name.
    public func place(_ name: Stamp, of list: CellAddress) -> ListPlace? { places(of: list)?.places[name] }

    /// Returns the first place with an anchor.
    public func firstPlace(anchoredTo anchor: Stamp?, of list: CellAddress) -> ListPlace? {
        places(of: list)?.first(anchoredTo: anchor)
    }

    /// Returns the next place with the same anchor.
    public func nextPlace(after place: ListPlace, of list: CellAddress) -> ListPlace? {
        places(of: list)?.next(after: place)
    }

    private func places(of list: CellAddress) -> ListPlaces? { contents[list.object]?.lists[list.path] }
}
