import ObjectQueries

/// The statements of a connection that belong to no class.
struct StoreStatements {
    let begin: Statement
    let beginWrite: Statement
    let commit: Statement
    let rollback: Statement
    let readVersion: Statement
    /// Asks for a number that changes with the tables of the file.
    let schemaCookie: Statement
    /// Keeps a change for a server; nil before the first.
    var insertPending: Statement?
    /// What each transaction touched; nil when a file that is opened read-only has no log.
    let changeLog: ChangeLog?
    /// What observers keep with transactions.
    let notes: NoteTable

    init(_ connection: Connection, isReadOnly: Bool) throws(Realm.Error) {
        begin = try connection.prepare("BEGIN")
        beginWrite = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
        rollback = try connection.prepare("ROLLBACK")
        schemaCookie = try connection.prepare("PRAGMA schema_version")
        changeLog = try ChangeLog(connection, isReadOnly: isReadOnly)
        notes = NoteTable(connection)
        readVersion = try connection.prepare(
            changeLog == nil ? "SELECT version FROM \(StoredSchema.realmTable)" : ChangeLog.newestVersion
        )
    }
}
