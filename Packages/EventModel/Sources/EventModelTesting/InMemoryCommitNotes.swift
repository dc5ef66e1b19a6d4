public import EventModel
import Synchronization

/// The notes of a realm in memory: a test plays the transactions.
///
/// Honest otherwise: it passes ``CommitNotesConformance``.
public final class InMemoryCommitNotes: CommitNotes {
    private struct State {
        var notes: [KeptNote] = []
        var lastKey: Int64 = 0
        var released: [ObjectId: Int64] = [:]
        var failures: [any Error] = []
    }

    private let state = Mutex(State())

    /// Creates the notes of a new file.
    public init() {}

    /// What is in the file.
    public var notes: [KeptNote] { state.withLock { $0.notes } }

    /// Makes the next readings throw, one error each.
    public func failNextReadings(with errors: [any Error]) {
        state.withLock { $0.failures += errors }
    }

    /// Plays the commit of a transaction: keeps its note, and removes what was released.
    ///
    /// - Returns: What the observer gets; nil when there was no note.
    @discardableResult
    public func commit(_ note: (any CommitNote)?) -> CommittedNote? {
        state.withLock { state in
            for (stream, key) in state.released {
                state.notes.removeAll { $0.stream == stream && $0.key <= key }
            }
            state.released = [:]
            guard let note else { return nil }
            state.lastKey += 1
            state.notes.append(KeptNote(key: state.lastKey, stream: note.stream, bytes: note.bytes))
            return CommittedNote(note, key: state.lastKey)
        }
    }

    /// Plays the death of the process: what was released and not removed stays.
    public func endProcess() {
        state.withLock { $0.released = [:] }
    }

    /// Puts a note into the file as another process would.
    public func place(_ bytes: [UInt8], of stream: ObjectId) {
        state.withLock { state in
            state.lastKey += 1
            state.notes.append(KeptNote(key: state.lastKey, stream: stream, bytes: bytes))
        }
    }

    /// Reads all notes.
    ///
    /// - Throws: The next error that the test asked for.
    public func kept() throws -> [KeptNote] {
        let (notes, failure) = state.withLock { state in
            (state.notes, state.failures.isEmpty ? nil : state.failures.removeFirst())
        }
        if let failure { throw failure }
        return notes
    }

    /// Releases notes with the next commit.
    public func release(_ stream: ObjectId, through key: Int64) {
        state.withLock { $0.released[stream] = max(key, $0.released[stream] ?? 0) }
    }
}
