import Dispatch
import Foundation
import Synchronization

/// Releases versions that instances pin without using them, so that the log of their file does not grow for ever.
///
/// Most instances release theirs at the end of each run-loop turn of their queue. What is left are those of plain threads, of a main
/// queue that nobody runs, and those that do not refresh by themselves: a version that was not read for a while goes.
final class IdleVersions: Sendable {
    static let shared = IdleVersions()

    /// How long one look is after the other.
    static let interval = DispatchTimeInterval.milliseconds(50)
    /// After how many looks a version is released.
    static let patience = 40
    /// The same for an instance that does not refresh by itself.
    static let longPatience = 200
    /// The same for an instance whose version must not be released, however long the log is.
    static let endlessPatience = Int.max
    /// The same while the log is long, for every instance.
    static let shortPatience = 1
    /// What a long log is, in bytes: after as many SQLite copies the log into the file if nobody pins a version.
    static let longLog = 4 << 20

    /// A connection that is watched; only the sweep itself holds it, so that closing one is never put off by a look.
    private struct Entry {
        let store: Weak<StoreConnection>
        let pin: PinState
        /// Where SQLite keeps the log.
        let log: String
        var looks = 0

        init(_ store: StoreConnection) {
            self.store = Weak(store)
            pin = store.pin
            log = "\(store.connection.fileURL.path)-wal"
        }
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var isRunning = false
    }

    private let state = Mutex(State())
    /// Where the sweep runs.
    let queue = DispatchQueue(label: "ObjectStore.IdleVersions", qos: .utility)

    private init() {}

    /// Watches a connection that has pinned a version until it does so no more.
    func watch(_ store: StoreConnection) {
        let id = ObjectIdentifier(store.pin)
        let starts = state.withLock { state in
            if state.entries[id] == nil { state.entries[id] = Entry(store) }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { lookLater() }
    }

    private func lookLater() {
        queue.asyncAfter(deadline: .now() + Self.interval) { [self] in
            if look() { lookLater() }
        }
    }

    /// Looks at every connection once.
    ///
    /// - Returns: Whether any is left to be looked at.
    private func look() -> Bool {
        for id in state.withLock({ Array($0.entries.keys) }) {
            guard let entry = state.withLock({ $0.entries[id] }) else { continue }
            switch entry.pin.look() {
            case .unpinned: forget(id)
            case .inUse: state.withLock { $0.entries[id]?.looks = 0 }
            case .resting:
                let looks = entry.looks + 1
                state.withLock { $0.entries[id]?.looks = looks }
                if looks >= patience(with: entry, looks) { entry.store.object?.letGoOfIdleVersion() }
            }
        }
        return state.withLock { state in
            state.isRunning = !state.entries.isEmpty
            return state.isRunning
        }
    }

    private func patience(with entry: Entry, _ looks: Int) -> Int {
        let patience = entry.pin.patience.load(ordering: .relaxed)
        guard looks >= Self.shortPatience, patience != Self.endlessPatience else { return patience }
        // LIVE: SQLite keeps the log beside the file.
        let log = try? FileManager.default.attributesOfItem(atPath: entry.log)
        if let size = log?[.size] as? Int, size > Self.longLog { return Self.shortPatience }
        return patience
    }

    /// Forgets a connection, unless it pins a version again.
    private func forget(_ id: ObjectIdentifier) {
        state.withLock { state in
            if state.entries[id]?.pin.isPinned == false { state.entries[id] = nil }
        }
    }
}
