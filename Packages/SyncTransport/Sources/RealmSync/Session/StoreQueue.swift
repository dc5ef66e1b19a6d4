import ChangeModel
import Dispatch

/// A realm's file as a session uses it: its calls block, so they run on a queue of their own, one at a time.
final class StoreQueue: Sendable {
    private let store: any SyncedStore
    private let queue = DispatchQueue(label: "daybook.sync.file", qos: .utility)

    init(_ store: any SyncedStore) { self.store = store }

    /// Runs work with the file; a cancelled task runs it to its end, as a transaction cannot be left in its middle.
    func callAsFunction<Value: Sendable>(
        _ work: @escaping @Sendable (any SyncedStore) throws -> Value
    ) async throws -> Value {
        let result = await withCheckedContinuation { continuation in
            queue.async { [store] in continuation.resume(returning: Result { try work(store) }) }
        }
        return try result.get()
    }

    /// Tells of commits.
    func commits() -> AsyncStream<Void> { store.commits() }
}
