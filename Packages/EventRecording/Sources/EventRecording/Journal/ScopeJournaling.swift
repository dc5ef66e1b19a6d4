import Dispatch
import EventModel

/// The journals of one recorder, on a queue of their own, so that no thread that reads waits for a file.
final class ScopeJournaling: @unchecked Sendable {
    // SAFETY: `log` is only touched by blocks of `queue`, which runs one at a time.

    /// Where journals are made and found.
    let store: any ScopeJournalStore
    /// Says when captures have become old.
    let timer: any EventTimer
    private let queue = DispatchQueue(label: "daybook.journal", qos: .userInitiated)
    private var log: JournalLog

    /// Creates the journals; no file is made yet.
    init(store: any ScopeJournalStore, timer: any EventTimer, ids: any ObjectIdSource, boot: Boot) {
        self.store = store
        self.timer = timer
        log = JournalLog(store: store, ids: ids, boot: boot)
    }

    deinit {
        // One that cannot be removed says that all of its scopes have ended; the next process removes it.
        try? log.finish()
    }

    /// Works with the journals and returns when that is done.
    ///
    /// - Precondition: Not called from within the closure of another call.
    func sync<Result>(_ body: (inout JournalLog) throws -> Result) rethrows -> Result {
        dispatchPrecondition(condition: .notOnQueue(queue))
        return try queue.sync { try body(&log) }
    }

    /// Works with the journals in the background.
    func async(_ body: @escaping @Sendable (inout JournalLog) -> Void) {
        queue.async { body(&self.log) }
    }
}
