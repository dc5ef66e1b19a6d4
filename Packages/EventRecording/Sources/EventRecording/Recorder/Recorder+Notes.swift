public import EventModel
import Synchronization

/// What the realm's file keeps of writes in open scopes, with the transactions themselves.
///
/// So a write that is durable is an event, wherever the process ends.
final class WriteNoting: Sendable {
    /// The notes of the file.
    let notes: any CommitNotes
    /// How journals name the realm.
    let address: RealmAddress
    private let head: [UInt8]
    private let syncedHead: [UInt8]
    private let maximumBytes: Int
    private let writer = Mutex(WriteNoteWriter())

    /// Creates the notes of a realm.
    ///
    /// - Parameters:
    ///   - notes: The notes of its file.
    ///   - address: How journals name it.
    ///   - maximumBytes: No write is kept that takes more: by default what no journal holds either.
    init(_ notes: any CommitNotes, of address: RealmAddress, maximumBytes: Int = JournalLog.maximumBlockBytes) {
        self.notes = notes
        self.address = address
        self.maximumBytes = maximumBytes
        head = WriteNoteWriter.head(place: address.place)
        syncedHead = WriteNoteWriter.head(place: address.place, isSynced: true)
    }

    /// Makes the note of a write.
    ///
    /// - Throws: ``RecordingError/writeNotKept`` when it is too large; what the root throws that protects it.
    func note(
        _ changes: CommitChanges,
        of scopes: [JournaledScope],
        at position: Int,
        firstEvent: ObjectId,
        _ reading: ClockReading,
        root: any ScopeJournal
    ) throws -> WriteNote {
        let events = scopes.enumerated()
            .map { number, scope in
                CapturedWrite.Event(scope: scope.id, id: firstEvent.following(number))
            }
        let write = CapturedWrite(changes: changes, events: events)
        let content = writer.withLock { $0.pack(write, of: scopes, at: position, reading) }
        guard content.count <= maximumBytes else { throw RecordingError.writeNotKept }
        let head = changes.sync == nil ? head : syncedHead
        return WriteNote(stream: root.id, bytes: head + (try root.seal(content)), events: events, reading: reading)
    }

    /// Whether a note was made by a realm of this address that recorded into the same place.
    func isOurs(_ note: KeptNote) -> Bool {
        note.bytes.starts(with: head) || note.bytes.starts(with: syncedHead)
    }
}

extension Recorder {
    /// Keeps a write of open scopes with its transaction, so that no end of the process can part the two.
    ///
    /// A write that cannot be kept is captured all the same, and only lost if the process ends before it is journalled.
    public func note(for changes: CommitChanges) -> (any CommitNote)? {
        guard let noting, !changes.classes.isEmpty else { return nil }
        do {
            let root = try root(for: noting)
            // Whoever ends one of these scopes from now on knows of the note.
            let (scopes, position) = state.withLock { $0.scopesToNote() }
            guard !scopes.isEmpty else { return nil }
            let note = try noting.note(
                changes,
                of: scopes,
                at: position,
                firstEvent: composer.ids.next(count: scopes.count),
                instant(),
                root: root
            )
            state.withLock { state in
                state.root.willKeep()
                state.notes.willKeep(note)
            }
            return note
        } catch {
            didFailToNote(error)
            return nil
        }
    }

    /// The journal that notes name; made when there is none.
    private func root(for noting: WriteNoting) throws -> any ScopeJournal {
        let known = state.withLock { state in
            let isIdle = state.notes.isIdle
            return state.root.current(isIdle: isIdle)
        }
        if let known { return known }
        guard let journaling else { preconditionFailure("Writes are only noted where there are journals.") }
        let root = try journaling.sync { log in
            _ = try log.dropLargeRoot()
            return try log.root(of: noting.address.name)
        }
        state.withLock { $0.root.didBegin(root) }
        return root
    }

    /// Takes over a write whose note is durable.
    ///
    /// - Returns: Whether it is captured; not when the realm's file could not keep the note.
    func didKeep(_ changes: CommitChanges, _ note: WriteNote, _ key: Int64?) -> Bool {
        guard let key else {
            state.withLock { $0.notes.didFailToKeep(note) }
            didFailToNote(RecordingError.writeNotKept)
            return false
        }
        let content = Capture.Content.commit(CapturedWrite(changes: changes, events: note.events))
        let (isDue, isFull) = state.withLock { state in
            let isFull = state.didKeepNote(note, key)
            return (state.append(content, byteCount: changes.rowByteCount, at: note.reading), isFull)
        }
        if isDue { continueJournal() }
        if isFull { journaling?.async { self.moveNotes(to: &$0) } }
        return true
    }

    /// Lets the journal keep the writes that the realm's file keeps, when these have become many.
    private func moveNotes(to log: inout JournalLog) {
        writeJournal(&log, isForced: true)
        let position = state.withLock { $0.journal.written }
        var failure: (any Error)?
        do {
            try log.synchronize()
            state.withLock { $0.notes.didSync(through: position) }
        } catch {
            failure = error
        }
        releaseNotes()
        let isFailing = failure != nil
        let isFirst = state.withLock { $0.notes.didMove(isFailing: isFailing) }
        if let failure, isFirst { reportLater(failure, "writes of open scopes stay in the realm's file") }
    }

    /// Releases the notes of writes whose scopes are over.
    func releaseNotes() {
        guard let noting else { return }
        let released = state.withLock { state in
            state.root.id.flatMap { id in state.notes.takeReleasable().map { (id, $0) } }
        }
        if let (root, key) = released { noting.notes.release(root, through: key) }
    }

    private func didFailToNote(_ error: any Error) {
        let isFirst = state.withLock { $0.root.didFail() }
        if isFirst { reportLater(error, "writes of open scopes are in memory and the journal only") }
    }
}

/// The root of the recorder's journals, as writers see it.
struct NoteRoot: Sendable {
    /// After so many notes it is looked whether another root can begin.
    private static let maximumNotes = 1024

    private var journal: (any ScopeJournal)?
    private var noteCount = 0
    private var isFailing = false

    /// The name of the root; nil when there is none.
    var id: ObjectId? { journal?.id }

    /// Returns the root; nil when one must be asked for.
    ///
    /// - Parameter isIdle: Whether nobody depends on a note that names it.
    /// - Returns: The root.
    func current(isIdle: Bool) -> (any ScopeJournal)? {
        noteCount >= Self.maximumNotes && isIdle ? nil : journal
    }

    /// Notes that a root is there.
    mutating func didBegin(_ journal: any ScopeJournal) {
        self.journal = journal
        noteCount = 0
        isFailing = false
    }

    /// Notes that a note was made.
    mutating func willKeep() { noteCount += 1 }

    /// Notes that a write could not be kept.
    ///
    /// - Returns: Whether it is the first one since the last that could.
    mutating func didFail() -> Bool {
        defer { isFailing = true }
        return !isFailing
    }
}
