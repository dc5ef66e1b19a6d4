import AuditModel
import GRDB

/// The tables of the embedded store.
enum SQLiteSchema {
    /// The columns of `AuditEvent` that every event has; those of the Event Library by its names, ours behind a prefix.
    static let eventColumns = [
        "_id", "_partition", "activity", "event", "data", "timestamp",
        "daybook_sequence", "daybook_monotonic", "daybook_boot", "daybook_committed", "daybook_marks",
        "daybook_received", "daybook_leaf", "daybook_owner", "daybook_repeated", "daybook_erased",
        "daybook_receipt", "daybook_sync",
    ]

    /// Names that SQLite understands as the number of a row.
    static let rowNames = ["rowid", "oid", "_rowid_"]

    /// What brings a database of any earlier version to this one.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 collection") { database in
            try database.execute(
                sql: """
                    CREATE TABLE EventOwner (
                        id INTEGER PRIMARY KEY,
                        app TEXT NOT NULL,
                        user TEXT NOT NULL,
                        UNIQUE (app, user)
                    );
                    CREATE TABLE Partition (
                        value TEXT PRIMARY KEY NOT NULL,
                        id TEXT NOT NULL,
                        prefix TEXT NOT NULL,
                        owner INTEGER NOT NULL REFERENCES EventOwner (id),
                        count INTEGER NOT NULL,
                        root BLOB NOT NULL,
                        frontier BLOB NOT NULL,
                        seal TEXT,
                        received INTEGER NOT NULL
                    );
                    CREATE UNIQUE INDEX PartitionByAge ON Partition (id, prefix);
                    CREATE TABLE MetadataColumn (
                        ordinal INTEGER PRIMARY KEY,
                        key BLOB NOT NULL UNIQUE,
                        name TEXT NOT NULL UNIQUE COLLATE NOCASE
                    );
                    CREATE TABLE AuditEvent (
                        _id TEXT NOT NULL,
                        _partition TEXT NOT NULL REFERENCES Partition (value) DEFERRABLE INITIALLY DEFERRED,
                        activity TEXT NOT NULL,
                        event TEXT,
                        data TEXT,
                        timestamp INTEGER NOT NULL,
                        daybook_sequence INTEGER NOT NULL,
                        daybook_monotonic INTEGER NOT NULL,
                        daybook_boot TEXT NOT NULL,
                        daybook_committed INTEGER,
                        daybook_marks INTEGER NOT NULL,
                        daybook_received INTEGER NOT NULL,
                        daybook_leaf BLOB NOT NULL,
                        daybook_owner INTEGER NOT NULL REFERENCES EventOwner (id),
                        daybook_repeated INTEGER NOT NULL,
                        PRIMARY KEY (_partition, daybook_sequence)
                    );
                    CREATE UNIQUE INDEX AuditEventById ON AuditEvent (daybook_owner, _id)
                        WHERE daybook_repeated = 0;
                    """
            )
        }
        migrator.registerMigration("2 collection of each app", migrate: addCollections)
        migrator.registerMigration("3 log of sealed partitions") { database in
            try database.execute(
                sql: """
                    CREATE TABLE PartitionLog (
                        position INTEGER PRIMARY KEY,
                        partition TEXT NOT NULL UNIQUE,
                        owner INTEGER NOT NULL REFERENCES EventOwner (id),
                        received INTEGER NOT NULL,
                        seal TEXT NOT NULL,
                        name BLOB,
                        key BLOB NOT NULL,
                        replaced BLOB,
                        nodes BLOB NOT NULL
                    );
                    CREATE INDEX PartitionLogByName ON PartitionLog (owner, name);
                    CREATE TABLE PartitionLogHead (
                        id INTEGER PRIMARY KEY CHECK (id = 0),
                        frontier BLOB NOT NULL
                    );
                    """
            )
            try SQLitePartitionLog(database: database).begin()
        }
        migrator.registerMigration("4 keys, holds and erasures") { database in
            // Payloads of earlier versions are texts and have no key; those since are blobs.
            try database.execute(
                sql: """
                    ALTER TABLE AuditEvent ADD COLUMN daybook_erased INTEGER;
                    CREATE TABLE PayloadKey (
                        partition TEXT NOT NULL,
                        first INTEGER NOT NULL,
                        keys BLOB NOT NULL,
                        PRIMARY KEY (partition, first)
                    );
                    CREATE TABLE Erasure (
                        number INTEGER PRIMARY KEY,
                        request TEXT NOT NULL,
                        result TEXT
                    );
                    CREATE TABLE ErasedRange (
                        erasure INTEGER NOT NULL,
                        partition TEXT NOT NULL,
                        first INTEGER NOT NULL,
                        last INTEGER NOT NULL,
                        PRIMARY KEY (erasure, partition, first)
                    ) WITHOUT ROWID;
                    CREATE TABLE LegalHold (
                        number INTEGER PRIMARY KEY,
                        name TEXT NOT NULL,
                        filter TEXT NOT NULL,
                        placed TEXT NOT NULL,
                        lifted TEXT
                    );
                    """
            )
        }
        migrator.registerMigration("5 trees of partitions") { database in
            try database.execute(
                sql: """
                    CREATE TABLE TreeNode (
                        partition TEXT NOT NULL,
                        first INTEGER NOT NULL,
                        hashes BLOB NOT NULL,
                        PRIMARY KEY (partition, first)
                    ) WITHOUT ROWID;
                    """
            )
            try SQLiteStoredPartition.fill(database)
        }
        migrator.registerMigration("6 conflicts of ids") { database in
            try database.execute(
                sql: """
                    CREATE TABLE EventConflict (
                        number INTEGER PRIMARY KEY,
                        partition TEXT NOT NULL,
                        sequence INTEGER NOT NULL,
                        owner INTEGER NOT NULL REFERENCES EventOwner (id),
                        id TEXT NOT NULL,
                        received INTEGER NOT NULL
                    );
                    CREATE INDEX EventConflictById ON EventConflict (id);
                    """
            )
        }
        migrator.registerMigration("7 receipts") { database in
            // Of events that are there already nothing says when they came; see StretchMark.
            try database.execute(sql: "ALTER TABLE AuditEvent ADD COLUMN daybook_receipt BLOB DEFAULT X'00'")
        }
        migrator.registerMigration("8 places in sync") { database in
            try database.execute(sql: "ALTER TABLE AuditEvent ADD COLUMN daybook_sync BLOB")
        }
        return migrator
    }

    /// Gives each app that has partitions a collection with the columns that its events use.
    private static func addCollections(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE Collection (app TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
                CREATE TABLE CollectionColumn (
                    app TEXT NOT NULL REFERENCES Collection (app),
                    ordinal INTEGER NOT NULL,
                    metadata INTEGER NOT NULL REFERENCES MetadataColumn (ordinal),
                    PRIMARY KEY (app, ordinal),
                    UNIQUE (app, metadata)
                ) WITHOUT ROWID;
                INSERT INTO Collection (app) SELECT DISTINCT app FROM EventOwner JOIN Partition ON owner = EventOwner.id;
                """
        )
        let columns = try Row.fetchAll(database, sql: "SELECT ordinal, name FROM MetadataColumn ORDER BY ordinal")
        guard !columns.isEmpty else { return }
        // One look at each event finds the columns of all apps; the names are ours and need no escaping.
        let uses = columns.map { "max(AuditEvent.\"\($0["name"] as String)\" IS NOT NULL)" }.joined(separator: ", ")
        let apps = try Row.fetchAll(
            database,
            sql: "SELECT app, \(uses) FROM AuditEvent JOIN EventOwner ON id = daybook_owner GROUP BY app"
        )
        for app in apps {
            let used = columns.indices.filter { app[$0 + 1] as Bool }
            for (ordinal, index) in used.enumerated() {
                try database.execute(
                    sql: "INSERT INTO CollectionColumn (app, ordinal, metadata) VALUES (?, ?, ?)",
                    arguments: [app[0] as String, ordinal + 1, columns[index]["ordinal"] as Int64]
                )
            }
        }
    }
}
