import Foundation

// Reads whose callers have no way to throw. A file that cannot be read is nobody's misuse, so that its error is kept for
// the nearest call that can throw; only where there is none does the process end, since nothing true could be returned.
extension InstanceVersion {
    /// Pins a version unless one is pinned.
    @inline(__always)
    func beginReading() {
        if !store.pin.isFresh { pin() }
    }

    @inline(never)
    private func pin() {
        do throws(Realm.Error) {
            try store.beginReading()
        } catch {
            unreadable(error)
        }
    }

    /// Runs a read that returns something else when the file cannot be read; see ``unreadable(_:)``.
    @inline(__always)
    func reading<Result>(
        or fallback: @autoclosure () -> Result,
        _ body: () throws(Realm.Error) -> Result
    ) -> Result {
        do throws(Realm.Error) {
            return try store.use(body)
        } catch {
            unreadable(error)
            return fallback()
        }
    }

    /// Runs a read for which there is nothing else to return.
    @inline(__always)
    func reading<Result>(_ body: () throws(Realm.Error) -> Result) -> Result {
        do throws(Realm.Error) {
            return try store.use(body)
        } catch {
            misuse("The realm '\(file.path)' cannot be read any more: \(error.message)")
        }
    }

    /// Runs work that changes what a frozen instance remembers, which several threads may do at once.
    @inline(__always)
    func exclusively<Result>(_ body: () -> Result) -> Result {
        guard isFrozen, let lock = store.sharing else { return body() }
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    // MARK: Failures

    /// Keeps the error of a read for the `write` or `read` around it; ends the process where there is none.
    @inline(never)
    func unreadable(_ error: Realm.Error) {
        // What stands in for the missing data must not be taken for current later on.
        exclusively { store.invalidateRows() }
        let isGuarded = keepForGuard(error)
        if transaction.isOpen {
            transaction.doom(unreadable: error)
        } else if !isGuarded {
            misuse(
                """
                The realm '\(file.path)' cannot be read any more; read inside of 'realm.read { … }' to catch this as an \
                error: \(error.message)
                """
            )
        }
    }

    /// Keeps an error for the block around the read.
    ///
    /// - Returns: Whether there is one.
    private func keepForGuard(_ error: Realm.Error) -> Bool {
        guard !isFrozen else { return FrozenReads.keep(error) }
        guard guardedReads.depth > 0 else { return false }
        if guardedReads.firstError == nil { guardedReads.firstError = error }
        return true
    }

    /// Whether a read failed in the `write` or `read` that runs now: what seems to be gone may only be unreadable.
    var lacksData: Bool {
        isFrozen ? FrozenReads.lacksData : guardedReads.firstError != nil || transaction.lacksData
    }

    /// Runs a block whose reads may fail.
    ///
    /// - Throws: What the block throws, or else the first error of a read in it.
    func guardingReads<Result>(_ block: () throws -> Result) throws -> Result {
        if isFrozen { return try FrozenReads.guarding(block) }
        guardedReads.depth += 1
        let outcome = Swift.Result(catching: block)
        guardedReads.depth -= 1
        let failure = guardedReads.firstError
        // An outer block did not get its data either.
        if guardedReads.depth == 0 { guardedReads.firstError = nil }
        let result = try outcome.get()
        if let failure { throw failure }
        return result
    }
}
