extension StoreConnection {
    /// Runs write transactions whose commits do not wait for the disk.
    ///
    /// A power cut may take them, the last ones first, and never a part of one. No other commit is less durable for it. With a log, a commit
    /// appends to that and, under `synchronous = FULL`, syncs it; under `NORMAL` it does not sync. To sync a file is to sync all that was
    /// written to it by whomever, so that the next commit of anybody who waits for the disk makes these durable, too, before its own. And
    /// a checkpoint syncs the log before it writes to the database under both settings, so that the database never has what the log might
    /// lose. So after a power cut the file holds all commits up to some point that is behind every one that was waited for.
    ///
    /// - Parameter body: Begins and ends its transactions; none may be open.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or a `Realm.Error` when SQLite does not take the setting.
    func withoutWaitingForDisk<Result>(
        _ body: () throws(Realm.Error) -> Result
    ) throws(Realm.Error) -> Result {
        try setWaitsForDisk(false)
        let result: Result
        do throws(Realm.Error) {
            result = try body()
        } catch {
            try setWaitsForDisk(true)
            throw error
        }
        try setWaitsForDisk(true)
        return result
    }

    /// SQLite takes the setting between transactions only, of which a version that is read is one.
    private func setWaitsForDisk(_ waits: Bool) throws(Realm.Error) {
        try endReading()
        try connection.setWaitsForDisk(waits)
    }
}
