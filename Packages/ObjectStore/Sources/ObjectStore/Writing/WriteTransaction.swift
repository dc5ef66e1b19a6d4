import EventModel

/// What one write transaction did so far.
struct WriteTransaction {
    /// Names the transaction within its instance.
    let id: UInt64
    /// The first data error; the transaction can only be rolled back then.
    var firstError: Realm.Error?
    /// Whether anything was written.
    var hasChanges = false
    /// The rows that existed before and were assigned to or deleted, by class; kept for an observer only.
    var touched: [ObjectIdentifier: TouchedRows] = [:]

    init(id: UInt64) { self.id = id }
}

/// The rows of one class that a transaction touched and that existed before it.
struct TouchedRows {
    var modified: Set<Int64> = []
    var deleted: Set<Int64> = []
    /// The objects around embedded ones.
    var parents: [Int64: ObjectCore] = [:]
}
