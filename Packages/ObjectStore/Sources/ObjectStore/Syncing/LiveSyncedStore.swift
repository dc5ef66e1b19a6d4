public import ChangeModel
import Dispatch
import EventModel
import ObjectQueries
import Synchronization

/// The file of a realm as its sync uses it: what is pending goes out, what the server said comes in.
///
/// It has an instance of its own on a queue of its own. What is integrated is one version for every other instance of the file, which
/// are notified of it as of any other commit; observers that record take none of it for an act of the user. Calls block for as long as
/// a transaction takes, and wait for an open write. What is downloaded does not wait for the disk, as a power cut takes the position with it
/// and it is downloaded again; all else is durable when its call returns.
///
/// A file may have any number of stores, in this process and in others, of which one syncs: it has the lock of
/// ``lockForSync()``. The calls do not ask for it, so that who syncs without it has to know that nobody else does.
///
/// ```swift
/// var configuration = Realm.Configuration(fileURL: url)
/// configuration.keepsChanges = true
/// let store = try LiveSyncedStore(configuration, hash: sha256)
/// for change in try store.pendingChanges(after: 0, limit: 1 << 20) { … }
/// ```
public final class LiveSyncedStore: SyncedStore {
    private struct State {
        var instance: Confined?
        var token: NotificationToken?
    }

    /// Who waits for commits: apart from the store, which must not be kept, nor end, on its own queue.
    private final class Listeners: Sendable {
        private let all = Mutex<[AsyncStream<Void>.Continuation]>([])

        func add(_ listener: AsyncStream<Void>.Continuation) { all.withLock { $0.append(listener) } }

        func tell() {
            for listener in all.withLock({ $0 }) { listener.yield() }
        }

        func finish() {
            let ended = all.withLock { all in
                defer { all = [] }
                return all
            }
            for listener in ended { listener.finish() }
        }
    }

    /// The classes that the configuration of the store declares.
    public let schema: SyncSchema

    private let listeners = Listeners()
    private let queue = DispatchQueue(label: "daybook.sync")
    private let state: Mutex<State>
    private let schemaHash: Digest

    /// Opens the file.
    ///
    /// - Parameters:
    ///   - configuration: The file and its classes; it is made as one that keeps its changes.
    ///   - hash: Computes a SHA-256.
    /// - Throws: What opening a realm throws, such as ``Realm/Error`` with `.incompatibleHistories` for a file that does not keep its
    ///   changes.
    public init(_ configuration: Realm.Configuration, hash: ChangeChain.Hash) throws {
        var configuration = configuration
        configuration.keepsChanges = true
        let (file, queue) = (configuration, queue)
        schema = SyncSchema(try RealmSchema(file.objectTypes))
        schemaHash = schema.hash(hash)
        state = Mutex(State())
        let opened = try queue.sync { Confined(try Realm(configuration: file, queue: queue).core) }
        state.withLock { $0.instance = opened }
        let listeners = listeners
        let token = queue.sync { Realm(core: opened.arrive()).observe { _, _ in listeners.tell() } }
        state.withLock { $0.token = token }
    }

    deinit { close() }

    /// Where the file is.
    func path() throws -> String { try using { core in core.file.path } }

    /// Closes the file and ends the streams of commits; what is called afterwards throws.
    public func close() {
        // What was committed before is told before the end.
        let ended = queue.sync { () -> State in
            if let instance = state.withLock({ $0.instance }) { _ = instance.arrive().refresh() }
            return state.withLock { state in
                defer { state = State() }
                return state
            }
        }
        queue.sync { ended.token?.invalidate() }
        listeners.finish()
    }

    /// Runs work with the instance, on its queue.
    private func using<Result>(_ body: (RealmCore) throws -> Result) throws -> Result {
        try queue.sync {
            guard let instance = state.withLock({ $0.instance }) else {
                throw Realm.Error(.fail, "The store of a realm's sync was used after it was closed.")
            }
            return try body(instance.arrive())
        }
    }

    /// Nobody is told of what the store writes itself.
    private var tokens: [NotificationToken] { state.withLock { $0.token.map { [$0] } ?? [] } }

    /// Reads the tables of sync at the newest version.
    private func reading<Result>(_ body: (SyncedObjects) throws(Realm.Error) -> Result) throws -> Result {
        try using { core in
            _ = core.refresh()
            return try core.store.use { () throws(Realm.Error) in
                core.beginReading()
                return try body(SyncedObjects(core.store))
            }
        }
    }
}

// MARK: - State

extension LiveSyncedStore {
    /// Returns how far the file has come.
    ///
    /// - Throws: A ``Realm/Error`` when the file cannot be read.
    public func syncState() throws -> SyncState {
        try reading { objects throws(Realm.Error) in try SyncStateTable(objects).state(schemaHash) }
    }

    /// Keeps what the server knows the file by; the same again changes nothing.
    ///
    /// - Throws: `ChangeModelError.failed` with `historyChanged` or `fileInUse` when the file has another binding.
    public func bind(_ binding: FileBinding) throws {
        if let known = try syncState().binding {
            guard known.history == binding.history else { throw ChangeModelError.failed(.historyChanged) }
            guard known == binding else { throw ChangeModelError.failed(.fileInUse) }
            return
        }
        try using { core in
            try core.writeSyncTables(withoutNotifying: tokens) { objects throws(Realm.Error) in
                try SyncStateTable(objects).setBinding(binding)
            }
        }
    }

    /// Returns a stream that tells of commits of others, several at once; it keeps one element and ends with ``close()``.
    public func commits() -> AsyncStream<Void> {
        let (stream, listener) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        listeners.add(listener)
        return stream
    }
}

// MARK: - Uploading

extension LiveSyncedStore {
    /// Returns changes that wait for their entries, in order, within some bytes but one at least.
    ///
    /// - Throws: A ``Realm/Error`` when the file cannot be read.
    public func pendingChanges(after number: Int, limit bytes: Int) throws -> [PendingChange] {
        try reading { objects throws(Realm.Error) in try PendingChanges(objects).all(after: number, limit: bytes) }
    }

    /// Gives the changes that were never sent the times of the server's clock.
    ///
    /// - Throws: A ``Realm/Error`` when the file cannot be written to.
    public func correctClocks(_ correction: StampCorrection) throws {
        try using { core in
            try core.writeSyncTables(withoutNotifying: tokens) { objects throws(Realm.Error) in
                try SyncStateTable(objects).correctClocks(correction)
            }
        }
    }

    /// Notes that changes are about to be sent.
    ///
    /// - Throws: `ChangeModelError.gap` when no commit has the number yet.
    public func noteSent(through number: Int) throws {
        try requireCommitted(number)
        try using { core in
            try core.writeSyncTables(withoutNotifying: tokens) { objects throws(Realm.Error) in
                try SyncStateTable(objects).noteSent(number)
            }
        }
    }

    /// Notes that the server has changes for good.
    ///
    /// - Throws: `ChangeModelError.gap` when no commit has the number yet.
    public func acknowledge(through number: Int, chain: Digest) throws {
        try requireCommitted(number)
        try using { core in
            try core.writeSyncTables(withoutNotifying: tokens) { objects throws(Realm.Error) in
                try SyncStateTable(objects).acknowledge(number, chain)
            }
        }
    }

    private func requireCommitted(_ number: Int) throws {
        let next = try syncState().nextNumber
        guard number < next else { throw ChangeModelError.gap(expected: next, found: number) }
    }
}

// MARK: - Downloading

extension LiveSyncedStore {
    /// Integrates entries in one transaction, all or none.
    ///
    /// - Throws: `ChangeModelError.gap` when the entries do not follow the position or are of a change that was not acknowledged, and a
    ///   ``Realm/Error`` when they do not fit the schema or the file cannot be written to; nothing was written then.
    public func integrate(_ entries: [Entry]) throws -> Integrated {
        let state = try syncState()
        for (index, entry) in entries.enumerated() {
            let expected = state.position + 1 + index
            guard entry.number == expected else { throw ChangeModelError.gap(expected: expected, found: entry.number) }
            guard entry.change.file != state.binding?.file || entry.change.number <= state.acknowledged else {
                throw ChangeModelError.gap(expected: state.acknowledged, found: entry.change.number)
            }
        }
        return try using { core in try core.integrate(entries, withoutNotifying: tokens) }
    }

    /// Begins a snapshot, or one from its start.
    ///
    /// - Throws: A ``Realm/Error`` when the file cannot be written to.
    public func beginBootstrap(history: HistoryID, head: Int) throws {
        let acknowledged = try syncState().acknowledged
        let bootstrap = SyncState.Bootstrap(history: history, head: head, acknowledged: acknowledged)
        try using { core in
            try core.writeSyncTables(withoutNotifying: tokens) { objects throws(Realm.Error) in
                try SnapshotTables(objects).removePages()
                try SyncStateTable(objects).setBootstrap(bootstrap)
            }
        }
    }

    /// Takes a page of a snapshot.
    ///
    /// - Throws: `ChangeModelError.noSnapshot` when none is under way, and a ``Realm/Error`` when the file cannot be written to.
    public func integrate(_ page: SnapshotPage) throws {
        guard var bootstrap = try syncState().bootstrap, !bootstrap.isWhole else { throw ChangeModelError.noSnapshot }
        bootstrap.cursor = page.next
        bootstrap.isWhole = page.next == nil
        let progress = bootstrap
        try using { core in
            // As entries are integrated: the cursor from which the snapshot goes on is in the transaction that writes the page.
            try core.writeSyncTables(withoutNotifying: tokens, waitsForDisk: false) { objects throws(Realm.Error) in
                try SnapshotTables(objects).append(page)
                try SyncStateTable(objects).setBootstrap(progress)
            }
        }
    }

    /// Lets the file be what the snapshot has, with what is pending over it.
    ///
    /// - Throws: `ChangeModelError.noSnapshot` when none is whole, and a ``Realm/Error`` when it does not fit the schema or the file
    ///   cannot be written to; nothing was written then.
    public func endBootstrap() throws {
        guard let bootstrap = try syncState().bootstrap, bootstrap.isWhole else { throw ChangeModelError.noSnapshot }
        try using { core in
            try core.writeSynced(withoutNotifying: tokens) { integration throws(Realm.Error) in
                let snapshot = SnapshotTables(integration.objects)
                let dropped = try integration.dropPending(through: bootstrap.acknowledged)
                try integration.begin(with: snapshot, at: bootstrap.head, dropped: dropped)
                try snapshot.removePages()
                try SyncStateTable(integration.objects).setBootstrap(nil)
            }
        }
    }
}

extension SyncSchema {
    /// The classes that a program declares.
    init(_ schema: RealmSchema) {
        self.init(
            (schema.classes + schema.asymmetric)
                .map { known in
                    let properties = known.shape.properties.map { property in
                        let kept = Property(
                            property.kind,
                            property.collection,
                            isOptional: property.isOptional,
                            target: property.targetClass.map { ExactText($0) }
                        )
                        return (ExactText(property.columnName), kept)
                    }
                    return Class(
                        ExactText(known.name),
                        key: known.primaryKeySlot.map { ExactText(known.shape.properties[$0].columnName) },
                        isEmbedded: known.isEmbedded,
                        isAsymmetric: known.isAsymmetric,
                        properties: Dictionary(properties) { first, _ in first }
                    )
                }
        )
    }
}
