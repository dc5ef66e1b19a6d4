/// What an observer wants kept with a write transaction, in the realm's own file.
public protocol CommitNote: AnyObject, Sendable {
    /// Whose note it is: a name that nobody else has. Notes of one stream are found and released together.
    var stream: ObjectId { get }

    /// What to keep; the store does not look inside.
    var bytes: [UInt8] { get }
}

/// A note whose transaction is durable.
public struct CommittedNote: Sendable {
    /// The note as the observer made it.
    public let note: any CommitNote
    /// Its place among the notes of the file; nil when the store could commit the transaction and not keep the note.
    ///
    /// It is greater than those of all notes of the stream before it.
    public let key: Int64?

    /// Creates the answer to a note.
    public init(_ note: any CommitNote, key: Int64?) {
        self.note = note
        self.key = key
    }
}

/// A note as it is in a file.
public struct KeptNote: Sendable, Hashable {
    /// Its place among the notes of the file.
    public let key: Int64
    /// Whose note it is.
    public let stream: ObjectId
    /// What was kept.
    public let bytes: [UInt8]

    /// Creates a note that was read.
    public init(key: Int64, stream: ObjectId, bytes: [UInt8]) {
        self.key = key
        self.stream = stream
        self.bytes = bytes
    }
}

/// The notes in the file of a realm, for the one who made them.
///
/// A note is in the file exactly when its transaction is: it becomes durable with the commit, and a rollback leaves nothing of
/// it. It stays until it is released, also when the process ends. Whoever hands the contents of notes on to another
/// place releases them when they are durable there, and asks for what was left when the file is opened again; a note may
/// then have been handed on already, so it must say how that can be recognised. Safe to call from any thread.
public protocol CommitNotes: AnyObject, Sendable {
    /// Reads all notes of the file, of whichever stream, in the order of their transactions.
    ///
    /// - Throws: When the file cannot be read.
    func kept() throws -> [KeptNote]

    /// Releases the notes of a stream up to a key; returns at once.
    ///
    /// They are removed by the next write transaction that anybody commits in this process, and are still there when the
    /// process ends before one: removing them costs no transaction of its own.
    func release(_ stream: ObjectId, through key: Int64)
}
