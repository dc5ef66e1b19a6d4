import Synchronization

/// A number of places for work that waits.
final class Places: Sendable {
    private let free: Mutex<Int>

    init(_ count: Int) { free = Mutex(count) }

    /// Takes a place.
    ///
    /// - Throws: ``RealmBrowserError/busy`` when none is free.
    func take() throws(RealmBrowserError) {
        let isTaken = free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
        guard isTaken else { throw .busy }
    }

    /// Gives a place back.
    func giveBack() { free.withLock { $0 += 1 } }
}
