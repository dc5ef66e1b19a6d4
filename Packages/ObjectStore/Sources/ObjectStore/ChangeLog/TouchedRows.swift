import EventModel

/// The rows of one class that existed before a transaction and that it touched.
struct TouchedRows {
    /// How many runs are kept for the change log before it gives up on the class.
    static let maximumRunCount = 1 << 16

    private(set) var modified = ModifiedRows()
    /// The rows that were deleted; kept for an observer only, because lists of keys show what is gone.
    var deleted: Set<Int64> = []
    /// Whether any row was deleted.
    var hasDeletions = false
    /// Whether more was modified than is worth listing: any row may be.
    private(set) var isOverrun = false
    /// The rows that were modified or deleted, as they were before.
    ///
    /// Whoever finds them here needs no second connection to the version before. Nil when nobody wanted to know as the
    /// transaction began, and in classes whose rows are not whole.
    var before: [Int64: ObjectSnapshot]?
    /// The objects around embedded ones; kept for an observer only.
    var parents: [Int64: ObjectCore] = [:]

    /// Notes that properties of a row were touched.
    ///
    /// - Parameters:
    ///   - key: The key of the row.
    ///   - slots: The properties.
    ///   - isExact: Whether an observer needs every row, however many there are.
    @inline(__always)
    mutating func modify(_ key: Int64, _ slots: SlotSet, isExact: Bool) {
        guard !isOverrun else { return }
        modified.insert(key, slots)
        if modified.runs.count > Self.maximumRunCount, !isExact { shrink() }
    }

    @inline(never)
    private mutating func shrink() {
        modified.normalize()
        guard modified.runs.count > Self.maximumRunCount / 2 else { return }
        isOverrun = true
        modified = ModifiedRows()
    }

    /// Brings the modified rows into order.
    mutating func normalize() { modified.normalize() }

    /// Whether nothing was touched.
    var isEmpty: Bool { modified.isEmpty && !hasDeletions && !isOverrun }
}
