/// What the rules of conflict ask of the state of one realm: the server's side of it, over whatever keeps it.
///
/// The rules are the methods of this protocol's extensions. They are pure: what they answer and change depends on this
/// state and on the change alone. A state in memory and one in a database give the same entries.
///
/// **Implementing.** Everything is a look-up by key, so that a list of a million elements is never read as a whole to
/// insert into it. A state is used by one caller at a time. Where a requirement fails, as a database may, keep the
/// error, answer anything, and undo the whole change afterwards: nothing here is published before its caller commits.
public protocol RealmState {
    /// The number of the newest entry; 0 for a new realm.
    var head: Int { get }

    /// Returns what was taken of a file; for a file that sent nothing, nothing.
    func progress(of file: UInt32) -> FileProgress
    /// Notes that the next number is taken by a change of a file: ``head`` is one greater afterwards.
    mutating func advance(_ file: UInt32, to progress: FileProgress)

    /// Returns the greatest time among all entries up to a number; nil where that is not kept any more.
    ///
    /// It is what whoever had integrated them had heard. Implementations keep it with each entry, which is a maximum of
    /// the one before and the entry's own time; below the floor of the log it may be gone.
    func latestClock(through number: Int) -> HybridClock?

    /// Returns whether an object is there, and its marks; for an unknown object, that it never was.
    func existence(of object: ObjectAddress) -> Existence
    /// Keeps whether an object is there, and its marks, also when it is not.
    mutating func setExistence(_ existence: Existence, of object: ObjectAddress)

    /// Returns a cell; nil if it was never written, or is gone with what it belonged to.
    func cell(at address: CellAddress) -> Cell?
    /// Keeps a cell, or forgets it.
    mutating func setCell(_ cell: Cell?, at address: CellAddress)
    /// Returns the paths of all cells below an address, at any depth, in order; the empty path is the object itself.
    func cellPaths(below address: CellAddress) -> [CellPath]
    /// Forgets everything strictly below an address: cells, elements, places and clearings.
    mutating func removeContents(below address: CellAddress)
    /// Returns the addresses of all cells whose value is a link to an object, in order.
    func referrers(of object: ObjectAddress) -> [CellAddress]

    /// Returns when a list, set or map was cleared the last time; nil for never.
    func clearing(of collection: CellAddress) -> Stamp?
    /// Keeps when a list, set or map was cleared.
    mutating func setClearing(_ stamp: Stamp, of collection: CellAddress)

    /// Returns an element of a list, removed or not; nil for one that was never inserted.
    func element(_ id: ElementID, of list: CellAddress) -> ListElement?
    /// Keeps an element of a list.
    mutating func setElement(_ element: ListElement, _ id: ElementID, of list: CellAddress)
    /// Adds a place to a list; it stays for as long as the list.
    mutating func addPlace(_ place: ListPlace, to list: CellAddress)
    /// Returns a place by its name.
    func place(_ name: Stamp, of list: CellAddress) -> ListPlace?
    /// Returns the place with the least stamp among those with an anchor; nil for none.
    func firstPlace(anchoredTo anchor: Stamp?, of list: CellAddress) -> ListPlace?
    /// Returns the place with the next greater stamp among those with the same anchor; nil for none.
    func nextPlace(after place: ListPlace, of list: CellAddress) -> ListPlace?
}

/// What the server has taken of one file.
public struct FileProgress: Sendable, Hashable {
    /// The number of the last change that was taken; 0 for none.
    public var acknowledged: Int
    /// The position that it was made at.
    public var base: Int
    /// The time under which it was taken.
    public var clock: HybridClock

    /// Creates the progress of a file; by default of one that sent nothing.
    public init(acknowledged: Int = 0, base: Int = 0, clock: HybridClock = .zero) {
        self.acknowledged = acknowledged
        self.base = base
        self.clock = clock
    }
}
