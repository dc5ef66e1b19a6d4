import EventModel

/// What a transaction does with the notes of its file.
struct NoteUpdate {
    /// The note that is kept with it, with its key if it could be.
    var note: CommittedNote?
    /// The notes that it removes: of each stream, all up to a key.
    var removed: [ObjectId: Int64] = [:]
}

extension RealmCore {
    /// Keeps the observer's note with the open transaction, and removes what was released.
    ///
    /// A note that cannot be kept is no reason to refuse the transaction, as long as there still is one; the observer learns
    /// of it.
    ///
    /// - Parameters:
    ///   - changes: What the observer is told; nil when nobody observes.
    ///   - observer: Who makes the note.
    /// - Returns: What was done; ``didCommit(_:)-(NoteUpdate)`` must follow when the transaction is durable.
    /// - Throws: What SQLite refuses, if the transaction is gone with it.
    func updateNotes(for changes: CommitChanges?, _ observer: (any RealmObserver)?) throws(Realm.Error) -> NoteUpdate {
        let note = changes.flatMap { observer?.note(for: $0) }
        let released = file.notes.released
        guard note != nil || !released.isEmpty else { return NoteUpdate() }
        var update = NoteUpdate(note: note.map { CommittedNote($0, key: nil) })
        do throws(Realm.Error) {
            // The new one comes first, so that keys go on from those that are removed.
            if let note {
                update.note = CommittedNote(note, key: try store.notes.insert(note, above: file.notes.lastKey))
            }
            for (stream, key) in released { try store.notes.remove(stream, through: key) }
            update.removed = released
        } catch {
            store.notes.didRollBack()
            guard store.connection.isInTransaction else { throw error }
        }
        return update
    }

    /// Notes that the transaction of an update is durable.
    func didCommit(_ update: NoteUpdate) {
        if let key = update.note?.key { file.notes.didKeep(key) }
        file.notes.didRemove(update.removed)
    }

    /// Puts the notes of the file that this one takes the place of into it.
    func restore(_ notes: [KeptNote]) throws(Realm.Error) {
        guard !notes.isEmpty else { return }
        try store.beginWriting()
        do throws(Realm.Error) {
            try store.notes.restore(notes)
            try store.commitWriting(version: store.version)
        } catch {
            try store.rollbackWriting()
            throw error
        }
    }
}
