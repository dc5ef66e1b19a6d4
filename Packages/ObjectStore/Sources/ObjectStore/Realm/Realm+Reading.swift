extension Realm {
    /// Runs a block that reads, and throws if the file could not be read in it.
    ///
    /// Properties and collections cannot throw. Inside of the block a failing read gives what is there without the file:
    /// a default value, nil or nothing; the call keeps the first failure and throws it, so that what was computed from
    /// such values is never returned. `write` does the same. Outside of both, a file that cannot be read any more, such
    /// as one on a disk that was taken away, ends the process; so does an index into values that could not be read.
    /// ```swift
    /// let names = try realm.read { realm in realm.objects(Person.self).map(\.name) }
    /// ```
    ///
    /// - Returns: What the block returns.
    /// - Throws: What the block throws, or ``Error`` with `.invalidDatabase`, `.fileOperationFailed` or `.fileAccess`.
    public func read<Result>(_ block: (Realm) throws -> Result) throws -> Result {
        core.checkThread()
        return try core.version.guardingReads { try block(self) }
    }
}
