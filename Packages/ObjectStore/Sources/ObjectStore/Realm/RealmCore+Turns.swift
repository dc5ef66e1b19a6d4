// A version is pinned for a turn: all that one piece of work of the instance's place reads is of one version, and
// nothing is pinned while the place does something else. The next turn begins with the newest version.
extension RealmCore {
    /// Checks the place when the running thread is not known to be in it.
    @inline(never)
    func checkPlace() {
        if isFrozen { return }
        confinement.check("The realm '\(file.path)'")
        if store.isReading { beginTurn() }
    }

    /// Lets the running thread read the pinned version without further checks, until the end of the turn.
    func beginTurn() {
        if confinement.remembersThread { store.setReader(.current) }
        noticeOpening()
        IdleVersions.shared.watch(store)
        guard confinement.canSchedule, !isTurnScheduled else { return }
        isTurnScheduled = true
        let instance = Weak(self)
        confinement.scheduleNext { instance.object?.endTurn() }
    }

    /// Lets go of the version; run by the place after the work that pinned it.
    ///
    /// An instance that does not refresh by itself keeps its version until it was idle for a while, and so does an open
    /// transaction.
    private func endTurn() {
        isTurnScheduled = false
        store.setReader(.none)
        guard transaction == nil, autorefresh else { return }
        do throws(Realm.Error) {
            try store.endReading()
        } catch {
            misuse("The realm '\(file.path)' cannot be read any more: \(error.message)")
        }
    }
}
