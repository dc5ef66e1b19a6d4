/// What one write transaction did so far.
struct WriteTransaction {
    /// Names the transaction within its instance.
    let id: UInt64
    /// The first data error; the transaction can only be rolled back then.
    var firstError: Realm.Error?
    /// Whether anything was written.
    var hasChanges = false

    init(id: UInt64) { self.id = id }
}
