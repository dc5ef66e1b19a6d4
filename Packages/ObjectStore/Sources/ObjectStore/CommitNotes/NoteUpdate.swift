import EventModel

/// What a transaction does with the notes of its file.
struct NoteUpdate {
    /// The note that is kept with it, with its key if it could be.
    private(set) var note: CommittedNote?
    /// The notes that it removes: of each stream, all up to a key.
    private var removed: [ObjectId: Int64] = [:]

    /// Keeps the observer's note with the open transaction of a connection, and removes what was released.
    ///
    /// A note that cannot be kept is no reason to refuse the transaction, as long as there still is one; the observer learns
    /// of it. ``didCommit(_:)`` must follow when the transaction is durable.
    ///
    /// - Parameters:
    ///   - changes: What the observer is given; nil when nobody observes.
    ///   - observer: Who makes the note.
    ///   - notes: The notes of the file.
    ///   - store: The connection.
    /// - Throws: What SQLite refuses, if the transaction is gone with it.
    init(
        for changes: CommitChanges?,
        _ observer: (any RealmObserver)?,
        _ notes: FileNotes,
        _ store: StoreConnection
    ) throws(Realm.Error) {
        let note = changes.flatMap { observer?.note(for: $0) }
        let released = notes.released
        guard note != nil || !released.isEmpty else { return }
        self.note = note.map { CommittedNote($0, key: nil) }
        do throws(Realm.Error) {
            // The new one comes first, so that keys go on from those that are removed.
            if let note {
                self.note = CommittedNote(note, key: try store.notes.insert(note, above: notes.lastKey))
            }
            for (stream, key) in released { try store.notes.remove(stream, through: key) }
            removed = released
        } catch {
            store.notes.didRollBack()
            guard store.connection.isInTransaction else { throw error }
        }
    }

    /// Notes that the transaction is durable.
    func didCommit(_ notes: FileNotes) {
        if let key = note?.key { notes.didKeep(key) }
        notes.didRemove(removed)
    }
}

extension StoreConnection {
    /// Puts the notes of the file that this one takes the place of into it.
    func restore(_ notes: [KeptNote]) throws(Realm.Error) {
        guard !notes.isEmpty else { return }
        try beginWriting()
        do throws(Realm.Error) {
            try self.notes.restore(notes)
            try commitWriting(version: version)
        } catch {
            try rollbackWriting()
            throw error
        }
    }
}
