// Writes that never block their caller: the lock is waited for elsewhere, the blocks run where the realm lives.
extension Realm {
    /// Runs a transaction soon on the instance's executor, without waiting for other writers now.
    ///
    /// Blocks run in the order of these calls. Committing writes to the disk, on the instance's executor.
    ///
    /// - Parameters:
    ///   - block: Makes the changes; if it neither commits nor cancels, the transaction is committed.
    ///   - onComplete: Called later on the same executor with nil, or with what went wrong: then nothing was changed.
    /// - Returns: What ``cancelAsyncWrite(_:)`` takes.
    /// - Precondition: The instance belongs to the main queue, a queue or an actor, and is not read-only.
    @discardableResult
    public func writeAsync(
        _ block: @escaping () -> Void,
        onComplete: (((any Swift.Error)?) -> Void)? = nil
    ) -> AsyncTransactionId {
        requireLoop("writeAsync")
        let core = core
        // Nobody can see the identifier before the block runs, which is after this returns.
        var id: AsyncTransactionId = 0
        let write = core.asyncWrites.enqueue(
            .block(
                run: {
                    block()
                    let error = !core.transaction.isOpen ? nil : core.commitError()
                    core.asyncWrites.complete(id, in: core, onComplete.map { onComplete in { onComplete(error) } })
                },
                failed: { error in
                    core.asyncWrites.complete(id, in: core, onComplete.map { onComplete in { onComplete(error) } })
                }
            ),
            in: core
        )
        id = write.id
        return id
    }

    /// Opens a transaction soon on the instance's executor, without waiting for other writers now.
    ///
    /// - Parameter block: Makes the changes and calls ``commitAsyncWrite(allowGrouping:_:)`` or
    ///   ``commitWrite(withoutNotifying:)``; without that they are rolled back when it returns.
    /// - Returns: What ``cancelAsyncWrite(_:)`` takes.
    /// - Precondition: The instance belongs to the main queue, a queue or an actor, is not read-only, and other processes
    ///   do not keep the file locked for a minute.
    @discardableResult
    public func beginAsyncWrite(_ block: @escaping () -> Void) -> AsyncTransactionId {
        requireLoop("beginAsyncWrite")
        return
            core.asyncWrites
            .enqueue(
                .block(
                    run: block,
                    failed: { error in misuse("The asynchronous write cannot begin: \(error.message)") }
                ),
                in: core
            )
            .id
    }

    /// Makes the changes of the open transaction durable and reports later whether that worked.
    ///
    /// - Parameters:
    ///   - allowGrouping: Accepted for source compatibility; each transaction becomes durable by itself.
    ///   - onComplete: Called later on the same executor with nil, or with what went wrong: then nothing was changed.
    /// - Returns: What ``cancelAsyncWrite(_:)`` takes to drop `onComplete`.
    /// - Precondition: A transaction is open on this instance, which belongs to the main queue, a queue or an actor.
    @discardableResult
    public func commitAsyncWrite(
        allowGrouping: Bool = false,
        _ onComplete: (((any Swift.Error)?) -> Void)? = nil
    ) -> AsyncTransactionId {
        requireLoop("commitAsyncWrite")
        let error = core.commitError()
        let id = core.asyncWrites.nextID()
        core.asyncWrites.complete(id, in: core, onComplete.map { onComplete in { onComplete(error) } })
        return id
    }

    /// Drops an asynchronous write that did not begin yet; of one that is over, the completion that was not called yet.
    ///
    /// - Throws: Nothing; an identifier that is not known any more is ignored.
    public func cancelAsyncWrite(_ id: AsyncTransactionId) throws {
        core.checkThread()
        core.asyncWrites.cancel(id)
    }

    /// Whether asynchronous writes wait, or completions of them were not called yet.
    public var isPerformingAsynchronousWriteOperations: Bool {
        core.checkThread()
        return !core.asyncWrites.isEmpty
    }

    private func requireLoop(_ function: String) {
        core.checkThread()
        core.requireLive(function)
        guard core.confinement.canSchedule else {
            misuse(
                """
                '\(function)' was called for the realm '\(core.file.path)', which belongs to \(core.confinement): nothing \
                can be run there later; use 'write', or open the realm for a queue or an actor.
                """
            )
        }
    }
}

extension RealmCore {
    /// Commits the open transaction and returns what went wrong.
    fileprivate func commitError() -> Realm.Error? {
        do throws(Realm.Error) {
            try commitWrite()
            return nil
        } catch {
            return error
        }
    }
}
