import AuditModel
import EventModel
import GRDB
import Synchronization

/// Stores uploads that arrive while others are being stored in one transaction, which costs one sync of the disk.
///
/// ```
///  upload 1 ──▶ transaction 1: 1
///  upload 2 ──▶ │ waits
///  upload 3 ──▶ │ waits ──▶ transaction 2: 2, 3
/// ```
/// Each upload has a savepoint of its own: one that is refused leaves nothing behind and hinders no other. Everybody is
/// answered after the commit.
final class SQLiteUploadQueue: Sendable {
    /// Stores one upload in the transaction that is open.
    typealias Store = @Sendable (EventUpload, SealedPayloads, Database) throws -> DurabilityProof

    private struct Entry {
        let upload: EventUpload
        let sealed: SealedPayloads
        let continuation: CheckedContinuation<DurabilityProof, any Error>
    }

    private struct State {
        var waiting: [Entry] = []
        var isStoring = false
    }

    /// How many uploads share a transaction; the first one would wait for ever more of them.
    private static let groupCount = 32

    private let pool: DatabasePool
    private let store: Store
    private let state = Mutex(State())

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - pool: The database.
    ///   - store: Stores one upload; whatever it throws takes that upload back.
    init(pool: DatabasePool, store: @escaping Store) {
        self.pool = pool
        self.store = store
    }

    /// Stores an upload and returns when it is on the disk.
    ///
    /// - Throws: What the store throws; `CancellationError` when the task was cancelled before the call. An upload that waits
    ///   already is stored all the same.
    func accept(_ upload: EventUpload) async throws -> DurabilityProof {
        try Task.checkCancellation()
        // Encrypted here, where uploads do not wait for each other.
        let sealed = try SealedPayloads(upload.events)
        return try await withCheckedThrowingContinuation { continuation in
            let isFirst = state.withLock { state in
                state.waiting.append(Entry(upload: upload, sealed: sealed, continuation: continuation))
                defer { state.isStoring = true }
                return !state.isStoring
            }
            if isFirst { storeNext() }
        }
    }

    /// Stores those who wait, the longest first, and goes on until nobody does.
    private func storeNext() {
        let group = state.withLock { state in
            let group = Array(state.waiting.prefix(Self.groupCount))
            state.waiting.removeFirst(group.count)
            if group.isEmpty { state.isStoring = false }
            return group
        }
        guard !group.isEmpty else { return }
        pool.asyncWriteWithoutTransaction { [self] database in
            let outcomes = outcomes(of: group, in: database)
            for (entry, outcome) in zip(group, outcomes) { entry.continuation.resume(with: outcome) }
            storeNext()
        }
    }

    private func outcomes(of group: [Entry], in database: Database) -> [Result<DurabilityProof, any Error>] {
        do {
            var outcomes: [Result<DurabilityProof, any Error>] = []
            try database.inTransaction(.immediate) {
                for entry in group { outcomes.append(try outcome(of: entry, in: database)) }
                return .commit
            }
            return outcomes
        } catch {
            guard group.count > 1 else { return [.failure(error)] }
            // What failed the transaction may be one upload's; each has to answer for itself.
            return group.flatMap { outcomes(of: [$0], in: database) }
        }
    }

    /// Stores one upload behind a savepoint.
    ///
    /// - Returns: Its proof, or why it is refused.
    /// - Throws: What SQLite throws: nobody can say then what else the transaction holds.
    private func outcome(of entry: Entry, in database: Database) throws -> Result<DurabilityProof, any Error> {
        var proof: DurabilityProof?
        do {
            try database.inSavepoint {
                proof = try store(entry.upload, entry.sealed, database)
                return .commit
            }
        } catch let error as DatabaseError {
            throw error
        } catch {
            return .failure(error)
        }
        guard let proof else { preconditionFailure("A savepoint runs its body once.") }
        return .success(proof)
    }
}
