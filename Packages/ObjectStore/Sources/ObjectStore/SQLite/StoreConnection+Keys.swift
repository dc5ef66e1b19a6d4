import ObjectQueries

// Row keys are never given twice, not even those of objects that were deleted.
extension StoreConnection {
    /// Writes down which row keys were given, so that none is given again.
    ///
    /// The rows themselves say so unless some were deleted: a transaction that only inserts saves a page.
    func keepNextKeys() throws(Realm.Error) {
        for table in tables where table.touched.hasDeletions {
            if let next = table.nextKey { try StoredSchema.setNextKey(next, table) }
        }
    }
}
