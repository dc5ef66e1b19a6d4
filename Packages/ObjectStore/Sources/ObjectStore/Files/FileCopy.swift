import CSQLite
import EventModel
import Foundation
import ObjectQueries
import PageEncryption

/// Writes what a connection sees, committed or not, to a new file.
///
/// The rows are copied one by one, so that memory stays flat and the copy has no free pages.
struct FileCopy {
    let source: Connection
    /// What the copy is encrypted with; nil when it is not.
    let key: FileKey?
    /// Says when the changes were made that a copy begins with.
    let clock: any EventClock

    /// What the copy is to be.
    enum Kind {
        /// What its original is.
        case same
        /// A file that keeps its changes, made of one that does not.
        case keepingChanges
        /// A file that does not keep its changes, made of one that does.
        case plain
    }

    /// Writes the file; it is whole and durable when this returns.
    ///
    /// - Complexity: O(*n*) in the count of rows.
    func write(to path: String, as kind: Kind = .same) throws(Realm.Error) {
        try FileInTheMaking.make(at: path) { url throws(Realm.Error) in
            try fill(url, kind)
            if kind == .same { return }
            let copy = FileConversion(
                connection: try connection(to: url),
                clock: clock
            )
            if kind == .plain { try copy.forgetChanges() } else { try copy.keepChanges() }
        }
    }

    private func connection(to url: URL) throws(Realm.Error) -> Connection {
        try Connection(fileURL: url, key: key, isReadOnly: false, isDurable: true, hasLog: false)
    }

    private func fill(_ url: URL, _ kind: Kind) throws(Realm.Error) {
        let target = try connection(to: url)
        try target.execute("PRAGMA application_id = \(RealmFile.applicationID); BEGIN")
        let objects = try objects().filter { kind != .plain || !SyncTables.isOne($0.name) }
        // What observers keep is theirs to hand on once, from the file that they know.
        for object in objects where object.type == "table" && object.name != NoteTable.name {
            try target.execute(object.sql)
            // What single transactions touched is for instances that followed the file, of which the copy has none.
            if object.name != "$changes" { try copy(StorageNames.quoted(object.name), to: target) }
        }
        let counter = try source.prepare("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'")
        if try counter.step() {
            // Filling the tables has counted already, but not what was deleted.
            try target.execute("DELETE FROM sqlite_sequence")
            try copy("sqlite_sequence", to: target)
        }
        counter.reset()
        for object in objects where object.type != "table" { try target.execute(object.sql) }
        if objects.contains(where: { $0.name == "$changes" }) { try keepVersion(target) }
        try target.execute("COMMIT")
    }

    /// Lets the copy go on counting versions where its original is, although it has no log of them.
    private func keepVersion(_ target: Connection) throws(Realm.Error) {
        let newest = try source.prepare(ChangeLog.newestVersion)
        guard try newest.step() else { return }
        try target.execute("UPDATE \(StoredSchema.realmTable) SET version = \(newest.int(0))")
        newest.reset()
    }

    private func objects() throws(Realm.Error) -> [(type: String, name: String, sql: String)] {
        let statement = try source.prepare(
            "SELECT type, name, sql FROM sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        )
        var objects: [(type: String, name: String, sql: String)] = []
        while try statement.step() { objects.append((statement.text(0), statement.text(1), statement.text(2))) }
        return objects
    }

    private func copy(_ table: String, to target: Connection) throws(Realm.Error) {
        let rows = try source.prepare("SELECT * FROM \(table)")
        let count = sqlite3_column_count(rows.handle)
        let places = Array(repeating: "?", count: Int(count)).joined(separator: ", ")
        let insertion = try target.prepare("INSERT INTO \(table) VALUES (\(places))")
        while try rows.step() {
            for column in 0..<count {
                sqlite3_bind_value(insertion.handle, column + 1, sqlite3_column_value(rows.handle, column))
            }
            try insertion.run()
        }
    }
}
