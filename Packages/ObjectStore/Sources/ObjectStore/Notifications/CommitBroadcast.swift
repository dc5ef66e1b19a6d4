import Synchronization

/// Notifies the instances of one file that another one committed, whichever process that is in.
///
/// Other processes are watched for only while somebody observes.
final class CommitBroadcast: Sendable {
    private struct Entry {
        weak var mailbox: InstanceMailbox?
        var observationCount = 0
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var watcher: FileWatcher?
    }

    private let state = Mutex(State())
    private let count = Atomic<Int>(0)
    /// The newest version that this process made or noticed.
    let latestVersion = Atomic<UInt64>(0)
    private let path: String
    private let key: HeldKey
    /// Whether other processes can see the file.
    private let isShared: Bool

    init(_ path: String, _ key: HeldKey, isShared: Bool) {
        self.path = path
        self.key = key
        self.isShared = isShared
    }

    /// Wakes every instance but the one that committed.
    func notify(except sender: InstanceMailbox?) {
        guard count.load(ordering: .acquiring) > 0 else { return }
        let mailboxes = state.withLock { state in state.entries.values.compactMap(\.mailbox) }
        for mailbox in mailboxes where mailbox !== sender { mailbox.wake() }
    }

    /// Whether other processes are watched for.
    var isWatching: Bool { state.withLock { $0.watcher != nil } }

    func beginWatching(_ mailbox: InstanceMailbox) {
        change(mailbox) { $0.observationCount += 1 }
    }

    func endWatching(_ mailbox: InstanceMailbox) {
        change(mailbox) { $0.observationCount -= 1 }
    }

    private func watcher() -> FileWatcher? {
        let reader = FileVersionReader(path, key)
        return FileWatcher(path) { [weak self] in
            // The commits of this process were announced when they were made.
            guard let self, let version = reader.version(), noteVersion(version) else { return }
            notify(except: nil)
        }
    }

    /// Notes that a version exists.
    ///
    /// - Returns: Whether it is newer than all that were known.
    @discardableResult
    func noteVersion(_ version: UInt64) -> Bool {
        latestVersion.max(version, ordering: .acquiringAndReleasing).oldValue < version
    }

    private func change(_ mailbox: InstanceMailbox, _ change: (inout Entry) -> Void) {
        let ended = state.withLock { state in
            let id = ObjectIdentifier(mailbox)
            var entry = state.entries[id] ?? Entry()
            // The address may be that of a mailbox that is gone.
            if entry.mailbox !== mailbox { entry = Entry(mailbox: mailbox) }
            change(&entry)
            state.entries[id] = entry.observationCount > 0 ? entry : nil
            state.entries = state.entries.filter { $0.value.mailbox != nil }
            count.store(state.entries.count, ordering: .releasing)
            return adjustWatcher(&state)
        }
        ended?.stop()
    }

    /// - Returns: The watcher that nobody needs any more.
    private func adjustWatcher(_ state: inout State) -> FileWatcher? {
        let isWanted = !state.entries.isEmpty
        if isWanted, isShared, state.watcher == nil { state.watcher = watcher() }
        guard !isWanted, let watcher = state.watcher else { return nil }
        state.watcher = nil
        return watcher
    }
}
