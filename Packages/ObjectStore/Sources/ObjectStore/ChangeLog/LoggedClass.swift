/// What one or several transactions did to the objects of a class, as far as the change log says.
struct LoggedClass: Equatable, Sendable {
    /// The keys of new objects; some may be deleted again.
    var inserted = KeyRuns()
    var modified = ModifiedRows()
    var hasDeletions = false
    /// Whether any object may have been modified, because there was too much to list.
    var isOverrun = false

    /// The properties of a row that may have been touched: all of a row that was inserted, whose key may have been that of another one.
    func slots(of key: Int64) -> SlotSet { isOverrun || inserted.contains(key) ? .all : modified.slots(of: key) }

    /// Whether nothing happened.
    var isEmpty: Bool { inserted.isEmpty && modified.isEmpty && !hasDeletions && !isOverrun }

    /// Adds what a later transaction did.
    mutating func formUnion(_ later: LoggedClass) {
        inserted.formUnion(later.inserted)
        modified.formUnion(later.modified)
        hasDeletions = hasDeletions || later.hasDeletions
        isOverrun = isOverrun || later.isOverrun
    }
}
