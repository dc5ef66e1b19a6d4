import EventModel
import Foundation
import Synchronization

/// The notes of one realm file, as all its instances in this process share them.
final class FileNotes: CommitNotes {
    private struct State {
        /// What goes with the next transaction: of each stream, all up to a key.
        var released: [ObjectId: Int64] = [:]
        /// The greatest key that was given in this process; the notes with it may be gone.
        var lastKey: Int64 = 0
    }

    private let path: String
    private let key: HeldKey
    private let state = Mutex(State())
    /// Whether anything is released, so that other transactions need not ask.
    private let hasReleased = Atomic<Bool>(false)

    init(path: String, _ key: HeldKey) {
        self.path = path
        self.key = key
    }

    func kept() throws -> [KeptNote] {
        let connection = try Connection(
            fileURL: URL(fileURLWithPath: path),
            key: key.key,
            isReadOnly: true,
            isDurable: true
        )
        return try NoteTable.notes(connection)
    }

    func release(_ stream: ObjectId, through key: Int64) {
        state.withLock { $0.released[stream] = max(key, $0.released[stream] ?? 0) }
        hasReleased.store(true, ordering: .releasing)
    }

    /// What the next transaction has to remove.
    var released: [ObjectId: Int64] {
        guard hasReleased.load(ordering: .acquiring) else { return [:] }
        return state.withLock(\.released)
    }

    /// Notes that a transaction is durable which removed notes.
    func didRemove(_ removed: [ObjectId: Int64]) {
        guard !removed.isEmpty else { return }
        state.withLock { state in
            // More may have been released meanwhile.
            for (stream, key) in removed where state.released[stream] == key { state.released[stream] = nil }
            if state.released.isEmpty { hasReleased.store(false, ordering: .releasing) }
        }
    }

    /// The greatest key that was given.
    var lastKey: Int64 { state.withLock(\.lastKey) }

    /// Notes that a note is durable under a key.
    func didKeep(_ key: Int64) {
        state.withLock { $0.lastKey = max($0.lastKey, key) }
    }
}
