import EventModel

// Files that keep their changes.
extension FileOpening {
    /// Whether a file that keeps its changes has all that the program declares; throws when it cannot get it.
    func isGrown(_ stored: StoredSchema) throws(Realm.Error) -> Bool {
        let version = try stored.schemaVersion()
        let growth = try SchemaGrowth(stored, schema)
        try growth.requirePossible()
        guard !configuration.readOnly else {
            try growth.requireDone()
            return true
        }
        let hasChangeLog = try stored.hasChangeLog()
        return growth.isDone && version >= configuration.schemaVersion && hasChangeLog
    }

    /// Checks that each object of a file that keeps its changes has a name, and that nobody wants the file deleted.
    ///
    /// Devices know an object by its primary key, and what waits for the server would go with the file.
    func requireSyncable() throws(Realm.Error) {
        let nameless = schema.classes.filter { !$0.isEmbedded && $0.primaryKeySlot == nil }.map(\.name)
        guard nameless.isEmpty else {
            throw Realm.Error(
                .invalidInput,
                """
                A realm that keeps its changes knows objects by their primary keys, which the classes \
                '\(nameless.joined(separator: "', '"))' have not; declare one, or leave them out of 'objectTypes'.
                """,
                fileURL: configuration.fileURL,
                details: nameless
            )
        }
        guard !configuration.deleteRealmIfMigrationNeeded else {
            throw Realm.Error(
                .invalidInput,
                """
                A realm that keeps its changes is not deleted when its schema differs, because the changes that wait for its server would go \
                with it; leave 'deleteRealmIfMigrationNeeded' out.
                """,
                fileURL: configuration.fileURL
            )
        }
    }
}
