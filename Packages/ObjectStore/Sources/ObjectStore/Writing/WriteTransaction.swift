/// What one write transaction did so far.
struct WriteTransaction {
    /// Names the transaction within its instance.
    let id: UInt64
    /// The first data error; the transaction can only be rolled back then.
    var firstError: Realm.Error?
    /// Whether something could not be read in it.
    var lacksData = false
    /// Whether anything was written.
    var hasChanges = false

    /// Whether this is a migration, in which primary keys may be assigned.
    let isMigration: Bool

    init(id: UInt64, isMigration: Bool = false) {
        self.id = id
        self.isMigration = isMigration
    }
}
