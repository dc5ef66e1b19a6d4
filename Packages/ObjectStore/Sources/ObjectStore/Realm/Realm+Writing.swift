extension Realm {
    /// Runs a transaction: all of its changes become durable together, or none does.
    ///
    /// Waits while another thread or process writes. The block may end the transaction itself with ``cancelWrite()``
    /// or ``commitWrite(withoutNotifying:)``.
    ///
    /// - Returns: What the block returns.
    /// - Throws: What the block throws, after rolling back; else the first data error that happened in the
    ///   transaction, after rolling back; else what committing throws.
    /// - Precondition: No transaction is open on this instance.
    @discardableResult
    public func write<Result>(
        withoutNotifying tokens: [NotificationToken] = [],
        _ block: () throws -> Result
    ) throws -> Result {
        try write(withoutNotifying: tokens) { _ in try block() }
    }
}

extension Realm {
    /// Runs a transaction whose block is given the realm; otherwise as the form without.
    ///
    /// Prefer this form inside actors: a block that does not capture the actor's realm compiles there.
    @discardableResult
    public func write<Result>(
        withoutNotifying tokens: [NotificationToken] = [],
        _ block: (Realm) throws -> Result
    ) throws -> Result {
        try begin()
        return try finishWrite(withoutNotifying: tokens, block)
    }

    /// Runs a block in the transaction that was begun for it, and commits.
    func finishWrite<Result>(
        withoutNotifying tokens: [NotificationToken] = [],
        _ block: (Realm) throws -> Result
    ) throws -> Result {
        let result: Result
        do {
            result = try block(self)
        } catch {
            if isInWriteTransaction { cancelWrite() }
            throw error
        }
        if isInWriteTransaction { try commitWrite(withoutNotifying: tokens) }
        return result
    }

    /// Opens a transaction; waits while another thread or process writes.
    ///
    /// - Precondition: No transaction is open on this instance, it is not read-only, and the file can be locked.
    public func beginWrite() {
        do {
            try begin()
        } catch {
            misuse("The write transaction cannot begin: \(error)")
        }
    }

    private func begin() throws(Realm.Error) {
        core.checkThread()
        try core.beginWrite()
    }

    /// Makes the changes of the open transaction durable.
    ///
    /// - Parameter tokens: The tokens whose handlers are not notified of exactly this commit; they must be of this instance.
    /// - Throws: The first data error that happened in the transaction, or why the changes cannot be stored; they are
    ///   rolled back then.
    /// - Precondition: A transaction is open on this instance.
    public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
        core.checkThread()
        try core.commitWrite(withoutNotifying: tokens)
    }

    /// Discards the changes of the open transaction; objects that were added in it become invalid.
    ///
    /// - Precondition: A transaction is open on this instance.
    public func cancelWrite() {
        core.checkThread()
        core.cancelWrite()
    }

    /// Whether a transaction is open on this instance.
    public var isInWriteTransaction: Bool {
        core.checkThread()
        return core.transaction.isOpen
    }

    /// The first data error of the open transaction, which can only be rolled back then; nil when there is none.
    public var transactionError: Realm.Error? { core.transaction.open?.firstError }
}
