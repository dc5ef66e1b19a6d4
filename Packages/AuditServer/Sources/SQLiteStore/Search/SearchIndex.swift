public import AuditModel
public import EventModel
import EventProofs
import GRDB
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
public import Foundation
#endif

/// What makes a search in any store quick: a database of its own, derived from the store and made anew when it is lost.
///
/// Storing an upload does not wait for it. Whoever searches first brings it up to date, as far as that goes in the time of one
/// request; ``refresh(from:maximumEvents:)`` does the rest in the background.
///
/// For every event it has a handful of postings: one for each value that the event can be found by. A search walks along the
/// postings of its rarest value and looks the others up, so that a page costs the same at the end of a million events as at
/// their start. Values that many events have are counted while they are entered.
public final class SearchIndex: SearchEngine {
    struct State {
        /// Partitions that have more events than the index.
        var changed: Set<PartitionID> = []
        /// Whether all partitions are to be looked at, because somebody else may have written.
        var mustSweep = true
        /// Who sees events before they are entered.
        weak var observer: (any ArrivalObserver)?
        /// The erasures that this process is at.
        var underWay: Set<Int64> = []
        /// How often the index was emptied, to be filled anew.
        var restarts: UInt64 = 0
        /// How many uploads were stored by this process.
        var uploads: UInt64 = 0
        /// What objects are called.
        var labels = ObjectLabels.none
    }

    let database: any DatabaseWriter
    /// How many postings a block of a tally has, see ``PostingTally``.
    let tallySize: Int64
    let state = Mutex(State())
    /// Lets one task at a time fill the index.
    let filling = Turnstile()

    /// Opens the index at a path, or makes one.
    ///
    /// One that is damaged or of another version is emptied.
    ///
    /// - Parameter path: The file; its folder exists. nil keeps the index in memory.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when the file cannot be used.
    public convenience init(path: String? = nil) throws(AuditServerError) {
        try self.init(path: path, tallySize: PostingTally.usualSize)
    }

    /// Opens an index whose tallies have blocks of another size.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when the file cannot be used.
    package init(path: String? = nil, tallySize: Int64) throws(AuditServerError) {
        self.tallySize = tallySize
        do {
            guard let path else {
                database = try DatabaseQueue(configuration: Self.configuration)
                try database.write(SearchIndexSchema.prepare)
                return
            }
            database = try Self.open(path)
        } catch let error as AuditServerError {
            throw error
        } catch {
            throw .inaccessible(path: path ?? "the search index in memory", reason: SQLiteFailure.reason(error))
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "SearchIndex"
        configuration.busyMode = DatabasePool.patience
        configuration.prepareDatabase { database in
            // The log is emptied seldom, because what is found by one value is written again and again.
            try database.execute(
                sql: """
                    PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8192; PRAGMA secure_delete = ON; \
                    PRAGMA cache_size = \(database.configuration.readonly ? -2048 : -8192);
                    """
            )
        }
        return configuration
    }

    private static func open(_ path: String) throws -> DatabasePool {
        do {
            return try prepared(path)
        } catch let error as DatabaseError
            where [.SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_IOERR].contains(error.resultCode)
        {
            for suffix in ["", "-wal", "-shm"] { try PrivateFile.removeIfPresent(path + suffix) }
            return try prepared(path)
        }
    }

    private static func prepared(_ path: String) throws -> DatabasePool {
        try PrivateFile.createIfMissing(path)
        // SYNC: what a power cut takes away is read from the store again.
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write(SearchIndexSchema.prepare)
        return pool
    }

    /// Makes it an index of events with these masks, whose objects are called as these labels say; one with others is emptied.
    ///
    /// Masked values are not in the index, so that no search, count, list of values or label tells them.
    ///
    /// - Throws: `AuditServerError.unavailable(reason:)` when the index fails.
    public func show(by masks: EventMasks, _ labels: ObjectLabels) throws(AuditServerError) {
        do {
            state.withLock { $0.labels = labels }
            let text = labels.isEmpty ? masks.fingerprint : "\(masks.fingerprint)\n\n\(labels.fingerprint)"
            // As a hash, because a text with zero bytes comes back cut, and would be another one at every start.
            let fingerprint = text.isEmpty ? "" : MerkleHash.leaf(Array(text.utf8)).hex
            let isNew = try database.write { try SearchIndexSchema.show($0, by: fingerprint) }
            if isNew { invalidate() }
        } catch {
            throw .unavailable(reason: SQLiteFailure.reason(error))
        }
    }

    /// Notes that an upload was stored, so that a partition has new events.
    public func didStore(_ partition: PartitionID) {
        state.withLock { state in
            state.uploads &+= 1
            state.changed.insert(partition)
        }
    }

    /// How often ``didStore(_:)`` was called.
    public var uploadCount: UInt64 { state.withLock { $0.uploads } }

    /// Notes that a partition has events that the index lacks.
    func mustFill(_ partition: PartitionID) {
        state.withLock { _ = $0.changed.insert(partition) }
    }

    /// Lets somebody see events before they are entered; there is one at a time, who is not kept alive.
    public func observe(by observer: any ArrivalObserver) {
        state.withLock { $0.observer = observer }
    }

    /// Notes that any partition may have new events, as when several servers share one store.
    public func invalidate() {
        state.withLock { $0.mustSweep = true }
    }
}
