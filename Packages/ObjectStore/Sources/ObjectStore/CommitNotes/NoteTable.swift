import EventModel
import ObjectQueries

/// The table of a realm file in which observers keep notes with transactions.
///
/// The first transaction with a note makes it: a realm that nobody observes has none. It is no class: no query, migration or
/// deletion of objects touches it, copies leave it out, and an older program leaves it as it is.
final class NoteTable {
    /// The name in the schema of the file.
    static let name = "$notes"
    private static let table = StorageNames.quoted(name)

    private let connection: Connection
    private var statements: (insert: Statement, remove: Statement)?

    init(_ connection: Connection) { self.connection = connection }

    /// Keeps a note with the open transaction.
    ///
    /// - Parameters:
    ///   - note: The note.
    ///   - floor: The greatest key that is known, of a note that may be gone.
    /// - Returns: The key of the note.
    /// - Throws: What SQLite refuses.
    func insert(_ note: any CommitNote, above floor: Int64) throws(Realm.Error) -> Int64 {
        let insert = try prepared().insert
        insert.bind(1, floor)
        note.stream.withUnsafeBytes { bindBytes($0, insert.handle, 2) }
        note.bytes.withUnsafeBytes { bindBytes($0, insert.handle, 3) }
        try insert.run()
        return connection.lastInsertedKey
    }

    /// Removes the notes of a stream up to a key.
    func remove(_ stream: ObjectId, through key: Int64) throws(Realm.Error) {
        let remove = try prepared().remove
        stream.withUnsafeBytes { bindBytes($0, remove.handle, 1) }
        remove.bind(2, key)
        try remove.run()
    }

    /// Forgets what belongs to a transaction that was rolled back, and maybe the table with it.
    func didRollBack() { statements = nil }

    private func prepared() throws(Realm.Error) -> (insert: Statement, remove: Statement) {
        if let statements { return statements }
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS \(Self.table) (key INTEGER PRIMARY KEY, stream BLOB NOT NULL, note BLOB NOT NULL)"
        )
        let made = (
            insert: try connection.prepare(
                """
                INSERT INTO \(Self.table) \
                VALUES (1 + max(?1, coalesce((SELECT max(key) FROM \(Self.table)), 0)), ?2, ?3)
                """
            ),
            remove: try connection.prepare("DELETE FROM \(Self.table) WHERE key <= ?2 AND stream = ?1")
        )
        statements = made
        return made
    }

    /// Reads all notes that a connection sees, in the order of their keys.
    static func notes(_ connection: Connection) throws(Realm.Error) -> [KeptNote] {
        let known = try connection.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '\(name)'")
        guard try known.step() else { return [] }
        known.reset()
        let select = try connection.prepare("SELECT key, stream, note FROM \(table) ORDER BY key")
        var notes: [KeptNote] = []
        while try select.step() {
            let stream = select.bytes(1)
            // Another one was not written by this library.
            guard stream.count == 12, let address = stream.baseAddress else { continue }
            notes.append(
                KeptNote(key: select.int(0), stream: ObjectId(loadedFrom: address), bytes: Array(select.bytes(2)))
            )
        }
        return notes
    }

    /// Puts notes of another file into this one, where they keep their keys.
    func restore(_ notes: [KeptNote]) throws(Realm.Error) {
        _ = try prepared()
        let insert = try connection.prepare("INSERT INTO \(Self.table) VALUES (?1, ?2, ?3)")
        for note in notes {
            insert.bind(1, note.key)
            note.stream.withUnsafeBytes { bindBytes($0, insert.handle, 2) }
            note.bytes.withUnsafeBytes { bindBytes($0, insert.handle, 3) }
            try insert.run()
        }
    }
}
