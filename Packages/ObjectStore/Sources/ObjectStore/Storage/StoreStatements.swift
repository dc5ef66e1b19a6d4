import ObjectQueries

/// The statements of a connection that belong to no class.
struct StoreStatements {
    let begin: Statement
    let beginWrite: Statement
    let commit: Statement
    let rollback: Statement
    let readVersion: Statement
    /// What each transaction touched; nil when a file that is opened read-only has no log.
    let changeLog: ChangeLog?

    init(_ connection: Connection, isReadOnly: Bool) throws(Realm.Error) {
        begin = try connection.prepare("BEGIN")
        beginWrite = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
        rollback = try connection.prepare("ROLLBACK")
        changeLog = try ChangeLog(connection, isReadOnly: isReadOnly)
        readVersion = try connection.prepare(
            changeLog == nil ? "SELECT version FROM \(StoredSchema.realmTable)" : ChangeLog.newestVersion
        )
    }
}
