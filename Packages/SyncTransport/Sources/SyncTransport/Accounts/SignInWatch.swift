import Synchronization

/// Notifies somebody when a user has signed in or out, for as long as it lives.
final class SignInWatch: Sendable {
    private let user: String
    private let book: AccountBook
    private let id = Mutex<Int?>(nil)

    init(of user: String, in book: AccountBook) {
        self.user = user
        self.book = book
    }

    deinit {
        if let id = id.withLock(\.self) { book.signIns.remove(id) }
    }

    /// Begins to notify whether the user is signed in; the closure is called before the call that signs in or out returns.
    func begin(_ notify: @escaping @Sendable (_ isSignedIn: Bool) -> Void) {
        let new = book.signIns.add(user, notify)
        id.withLock { $0 = new }
    }
}

/// Who is notified when a user of an app has signed in or out.
final class SignInWatchers: Sendable {
    private struct State {
        var watchers: [Int: (user: String, notify: @Sendable (_ isSignedIn: Bool) -> Void)] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    func add(_ user: String, _ notify: @escaping @Sendable (_ isSignedIn: Bool) -> Void) -> Int {
        state.withLock { state in
            state.last += 1
            state.watchers[state.last] = (user, notify)
            return state.last
        }
    }

    func remove(_ id: Int) {
        // Dropped behind the lock: what the closure holds may be released with it.
        _ = state.withLock { $0.watchers.removeValue(forKey: id) }
    }

    func notify(_ user: String, isSignedIn: Bool) {
        let watchers = state.withLock { $0.watchers.values.filter { $0.user == user } }
        for watcher in watchers { watcher.notify(isSignedIn) }
    }
}
