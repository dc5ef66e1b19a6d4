import Dispatch
import EventModel
import Foundation
import PageEncryption
import Synchronization

/// What all instances of one file in this process share: the write lock, the observer, the newest version.
final class FileCoordinator: Sendable {
    let path: String
    /// The last part of the path, for the log: the folders around it may name a person.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    let isInMemory: Bool
    /// What all connections of the file use.
    let key: HeldKey
    /// Grows whenever ``observer`` is replaced.
    let observerEpoch = Atomic<UInt64>(0)
    /// How many connections of instances exist in this process; ``FileUser`` counts.
    let userCount = Atomic<Int>(0)
    /// Held by the instance that is in a write transaction; SQLite itself waits by polling.
    let writeLock = WriteLock()
    /// Wakes instances after commits, and knows the newest version.
    let broadcast: CommitBroadcast
    /// What observers keep with transactions.
    let notes: FileNotes
    /// The columns that queries look through in memory.
    let columns = ColumnCache()

    private struct State {
        var observer: (any RealmObserver)?
        var instances: [Confinement.Identity: Weak<RealmCore>] = [:]
        /// How often one of them was added.
        var instanceTurn = 0
        var frozen: [Weak<RealmCore>] = []
        /// How often one of them was added.
        var frozenTurn = 0
        /// Tells other processes that the file is in use; nil before the first opening.
        var use: FileUse?
        /// The thread that opens the file now.
        var opener: ConfinedThread?
    }

    private let state: Mutex<State>
    /// Taken while a file is opened, so that two threads do not create it at once.
    private let openLock = DispatchSemaphore(value: 1)
    private static let all = Mutex<[String: Weak<FileCoordinator>]>([:])

    private init(path: String, isInMemory: Bool, key: HeldKey = HeldKey()) {
        self.path = path
        self.isInMemory = isInMemory
        self.key = key
        state = Mutex(State())
        notes = FileNotes(path: path, key)
        broadcast = CommitBroadcast(path, key, isShared: !isInMemory)
    }

    deinit {
        guard isInMemory else { return }
        // The private folder of an in-memory realm; what cannot be removed now, the system's cleaning will.
        // LIVE: the folder was made in the system's temporary directory.
        try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent())
    }

    /// The coordinator of a file.
    static func of(path: String) -> FileCoordinator {
        shared(path) { FileCoordinator(path: path, isInMemory: false) }
    }

    /// The coordinator of an in-memory realm: a file in a private folder that is removed with its last instance.
    static func of(inMemory identifier: String) throws(Realm.Error) -> FileCoordinator {
        let key = "memory:\(identifier)"
        if let existing = all.withLock({ $0[key]?.object }) { return existing }
        let file = try TemporaryFolder.make().appendingPathComponent("memory.realm")
        // When another thread was faster this coordinator goes, and its folder with it.
        let made = FileCoordinator(path: file.path, isInMemory: true)
        return shared(key) { made }
    }

    /// A coordinator that no other instance knows, and so without an observer: for the two sides of a migration.
    static func unshared(path: String, _ key: FileKey?) -> FileCoordinator {
        FileCoordinator(path: path, isInMemory: false, key: HeldKey(key))
    }

    /// Forgets the columns of all files.
    static func removeCachedColumns() {
        for file in all.withLock({ Array($0.values) }) { file.object?.columns.removeAll() }
    }

    /// Whether any instance of a file exists in this process.
    static func isOpen(path: String) -> Bool {
        all.withLock { $0[path]?.object }?.hasInstances ?? false
    }

    private static func shared(_ key: String, _ make: () -> FileCoordinator) -> FileCoordinator {
        let (file, living) = all.withLock { all in
            if let existing = all[key]?.object { return (existing, [:]) }
            let living = all.compactMapValues(\.object)
            all = all.filter { living[$0.key] != nil }
            let made = make()
            #if canImport(Darwin)
            MemoryPressure.watch()
            #endif
            all[key] = Weak(made)
            return (made, living)
        }
        // One whose last user let go of it meanwhile goes behind the lock, with its folder.
        withExtendedLifetime(living) {}
        return file
    }

    // MARK: Instances

    /// Opens one file at a time, with a lock that shows that to other processes.
    ///
    /// - Parameters:
    ///   - isReadOnly: Whether nothing may be written, not even a lock file.
    ///   - body: Is called with whether the file has no other user, in this and other processes, and will get none.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or ``Realm/Error`` with `.alreadyOpen` when this thread is opening the file.
    func opening<Result>(isReadOnly: Bool, _ body: (_ isAlone: Bool) throws -> Result) throws -> Result {
        guard state.withLock({ $0.opener != .current }) else {
            throw Realm.Error(
                .alreadyOpen,
                "The realm '\(path)' is being opened on this thread; a migration block uses the migration's objects.",
                fileURL: URL(fileURLWithPath: path)
            )
        }
        openLock.wait()
        state.withLock { $0.opener = .current }
        defer {
            state.withLock { $0.opener = nil }
            openLock.signal()
        }
        let isAlone = try claim(isReadOnly: isReadOnly)
        do {
            let result = try body(isAlone)
            state.withLock { $0.use }?.share()
            return result
        } catch {
            // Nothing was opened, so that others may have the file alone.
            if !hasInstances { forgo(isAlone: isAlone) }
            throw error
        }
    }

    /// Gives up the use of the file after an opening that failed, and leaves no lock file beside a file that there is not.
    private func forgo(isAlone: Bool) {
        // LIVE: a realm's file is a file of this machine.
        if isAlone, !isInMemory, !FileManager.default.fileExists(atPath: path) {
            // The reason why the opening failed says more than a lock file that stays.
            try? FileUse.forget(path)
        }
        state.withLock { $0.use = nil }
    }

    /// Takes part in the use of the file.
    ///
    /// - Returns: Whether nobody else does.
    private func claim(isReadOnly: Bool) throws(Realm.Error) -> Bool {
        guard !hasInstances else { return false }
        // Nobody says that it is still the same file.
        columns.removeAll()
        guard !isInMemory else { return true }
        // The lock of an instance that is gone is given up to see whether there are others.
        state.withLock { $0.use = nil }
        do throws(Realm.Error) {
            let (use, isAlone) = try FileUse.claim(path)
            state.withLock { $0.use = use }
            return isAlone
        } catch  where isReadOnly && error.code == .filePermissionDenied {
            // Nobody who may write there is kept from it, but reading needs no more.
            return false
        }
    }

    /// Lets other processes know that a commit is visible.
    func notifyProcesses() { state.withLock { $0.use }?.touch() }

    /// Waits a moment for being the only user of the file, while it is being opened.
    ///
    /// The sweep of idle versions may still hold the connection of an instance that was closed just now.
    func becomeAlone() -> Bool {
        let isClosed: Bool? = FileUse.retrying(for: FileUse.handoverPatience) {
            if !hasInstances { return true }
            return anyInstance == nil && oldestFrozenVersion == nil ? nil : false
        }
        guard isClosed == true else { return false }
        return state.withLock { $0.use }?.becomeAlone() ?? false
    }

    /// Whether any connection of an instance exists in this process.
    var hasInstances: Bool { userCount.load(ordering: .acquiring) > 0 }

    /// One of the instances in this process.
    var anyInstance: RealmCore? {
        // Each is asked once: the one that is there now may be gone at the next question.
        for instance in state.withLock({ Array($0.instances.values) }) {
            if let core = instance.object { return core }
        }
        return nil
    }

    /// The instance of an executor, if there is one.
    func instance(of executor: Confinement) -> RealmCore? {
        state.withLock { $0.instances[executor.identity]?.object }
            .flatMap { $0.confinement.isSameExecutor(as: executor) ? $0 : nil }
    }

    /// Keeps an instance, weakly.
    ///
    /// - Returns: The instance of its executor: another one when that was faster.
    func register(_ core: RealmCore) -> RealmCore {
        let executor = core.confinement
        while true {
            // Looked at without the lock: one whose last user lets go of it meanwhile goes here, with all that it takes with it.
            let (instances, turn) = state.withLock { ($0.instances, $0.instanceTurn) }
            if let faster = instances[executor.identity]?.object, faster.confinement.isSameExecutor(as: executor) {
                return faster
            }
            var kept = instances.filter { $0.value.object != nil }
            kept[executor.identity] = Weak(core)
            let isKept = state.withLock { [kept] state in
                guard state.instanceTurn == turn else { return false }
                state.instances = kept
                state.instanceTurn += 1
                return true
            }
            if isKept { return core }
        }
    }

    /// The instance of the running code's executor, if there is one.
    var instanceHere: RealmCore? {
        let instances = state.withLock { Array($0.instances.values) }.compactMap(\.object)
        let here = instances.filter(\.confinement.isCurrent)
        // The thread of an actor or a queue may have an instance of its own.
        return here.first(where: \.confinement.canSchedule) ?? here.first
    }

    // MARK: Frozen instances

    /// The frozen instance of the version and the classes of another one, if there is one.
    func frozenInstance(like core: RealmCore) -> RealmCore? {
        Self.instance(like: core, among: state.withLock { $0.frozen })
    }

    private static func instance(like core: RealmCore, among frozen: [Weak<RealmCore>]) -> RealmCore? {
        frozen.compactMap(\.object)
            .first { frozen in
                frozen.store.version == core.store.version
                    && frozen.schema.classes.elementsEqual(core.schema.classes, by: ===)
            }
    }

    /// Keeps a frozen instance, weakly, unless another thread was the first to freeze the same.
    ///
    /// - Returns: The instance that is kept.
    func registerFrozen(_ core: RealmCore) -> RealmCore {
        while true {
            let (frozen, turn) = state.withLock { ($0.frozen, $0.frozenTurn) }
            if let first = Self.instance(like: core, among: frozen) { return first }
            let kept = frozen.filter { $0.object != nil } + [Weak(core)]
            let isKept = state.withLock { state in
                guard state.frozenTurn == turn else { return false }
                state.frozen = kept
                state.frozenTurn += 1
                return true
            }
            if isKept { return core }
        }
    }

    /// The oldest version that something frozen keeps.
    var oldestFrozenVersion: UInt64? {
        state.withLock { $0.frozen }.compactMap { $0.object?.store.version }.min()
    }

    // MARK: Recording

    var observer: (any RealmObserver)? { state.withLock { $0.observer } }

    /// Asks an attachment for the observer of this file.
    func attach(_ attachment: any RealmAttachment) throws {
        let existing = observer
        let observer = try attachment.observer(
            for: RealmIdentity(path: path, isInMemory: isInMemory),
            notes: isInMemory ? nil : notes,
            existing: existing
        )
        guard observer !== existing else { return }
        state.withLock { $0.observer = observer }
        observerEpoch.add(1, ordering: .releasing)
        // A thread that reads without asking would not see the observer before its next run-loop turn.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        for instance in state.withLock({ Array($0.instances.values) }) { instance.object?.store.setReader(.none) }
    }
}
