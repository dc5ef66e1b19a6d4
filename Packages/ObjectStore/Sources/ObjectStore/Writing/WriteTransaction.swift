/// What one write transaction did so far.
struct WriteTransaction {
    /// Shared by the objects that it inserts; made with the first one.
    private(set) var insertion: Insertion?
    /// The first data error; the transaction can only be rolled back then.
    var firstError: Realm.Error?
    /// Whether something could not be read in it.
    var lacksData = false
    /// Whether anything was written.
    var hasChanges = false

    /// Whether this is a migration, in which primary keys may be assigned.
    let isMigration: Bool

    init(isMigration: Bool = false) { self.isMigration = isMigration }

    /// Returns what the objects that the transaction inserts share.
    mutating func neededInsertion() -> Insertion {
        if let insertion { return insertion }
        let made = Insertion()
        insertion = made
        return made
    }
}
