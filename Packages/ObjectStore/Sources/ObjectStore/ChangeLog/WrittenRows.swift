/// The objects of a class that the last transaction of an instance created or changed.
struct WrittenRows {
    /// The version that the transaction made.
    let version: UInt64
    private let new: NewRows
    private let modified: ModifiedRows

    init(version: UInt64, new: NewRows, _ touched: TouchedRows) {
        self.version = version
        self.new = new
        var modified = touched.modified
        modified.normalize()
        self.modified = modified
    }

    func contains(_ key: Int64) -> Bool { new.contains(key) || modified.slots(of: key) != SlotSet() }
}
