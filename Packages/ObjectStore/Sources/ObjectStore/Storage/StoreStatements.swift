import ObjectQueries

/// The statements of a connection that belong to no class.
struct StoreStatements {
    let begin: Statement
    let beginWrite: Statement
    let commit: Statement
    let rollback: Statement
    let readVersion: Statement
    /// Nil when the file is opened read-only.
    let writeVersion: Statement?
    /// What each transaction touched; nil when a file that is opened read-only has no log.
    let changeLog: ChangeLog?

    init(_ connection: Connection, isReadOnly: Bool) throws(Realm.Error) {
        begin = try connection.prepare("BEGIN")
        beginWrite = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
        rollback = try connection.prepare("ROLLBACK")
        readVersion = try connection.prepare("SELECT version FROM \(StoredSchema.realmTable)")
        writeVersion =
            isReadOnly ? nil : try connection.prepare("UPDATE \(StoredSchema.realmTable) SET version = ?1")
        changeLog = try ChangeLog(connection, isReadOnly: isReadOnly)
    }
}
