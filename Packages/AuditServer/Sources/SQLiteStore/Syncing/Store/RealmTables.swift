import GRDB

/// The tables of synced realms.
///
/// Realms, classes and objects have short numbers, which are the database's own and never leave it. Whoever has the
/// number of an object has found it by its realm, so that the rows that name objects alone belong to one realm each.
enum RealmTables {
    /// What brings a database of any earlier version to this one.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 realms") { database in
            for table in [schemas, realms, log, objects, contents, lists] { try database.execute(sql: table) }
        }
        migrator.registerMigration("2 posted objects") { database in
            try database.execute(sql: posted)
        }
        migrator.registerMigration("3 times before entries") { database in
            try database.execute(sql: timesBeforeEntries)
        }
        migrator.registerMigration("4 floors") { database in
            try database.execute(sql: floors)
        }
        migrator.registerMigration("5 bytes of objects") { database in
            try database.execute(sql: bytesOfObjects)
        }
        return migrator
    }

    private static let schemas = """
        CREATE TABLE SyncSchemaOf (
            app TEXT PRIMARY KEY,
            schema BLOB NOT NULL
        ) WITHOUT ROWID;
        """

    private static let realms = """
        CREATE TABLE SyncRealm (
            realm INTEGER PRIMARY KEY,
            app TEXT NOT NULL,
            value TEXT NOT NULL,
            history BLOB NOT NULL,
            head INTEGER NOT NULL,
            floor INTEGER NOT NULL,
            objects INTEGER NOT NULL,
            contentBytes INTEGER NOT NULL,
            logBytes INTEGER NOT NULL,
            UNIQUE (app, value)
        );
        CREATE TABLE SyncUser (
            realm INTEGER NOT NULL REFERENCES SyncRealm (realm),
            number INTEGER NOT NULL,
            user TEXT NOT NULL,
            PRIMARY KEY (realm, number),
            UNIQUE (realm, user)
        ) WITHOUT ROWID;
        CREATE TABLE SyncFile (
            realm INTEGER NOT NULL REFERENCES SyncRealm (realm),
            file INTEGER NOT NULL,
            user INTEGER NOT NULL,
            deviceKey BLOB NOT NULL,
            salt BLOB NOT NULL,
            acknowledged INTEGER NOT NULL,
            base INTEGER NOT NULL,
            clock INTEGER NOT NULL,
            chain BLOB NOT NULL,
            seen INTEGER NOT NULL,
            PRIMARY KEY (realm, file)
        ) WITHOUT ROWID;
        """

    private static let log = """
        CREATE TABLE SyncEntry (
            realm INTEGER NOT NULL,
            number INTEGER NOT NULL,
            entry BLOB NOT NULL,
            latestClock INTEGER NOT NULL,
            PRIMARY KEY (realm, number)
        ) WITHOUT ROWID;
        CREATE TABLE SyncUpload (
            realm INTEGER NOT NULL,
            file INTEGER NOT NULL,
            change INTEGER NOT NULL,
            entry INTEGER NOT NULL,
            uploaded BLOB NOT NULL,
            PRIMARY KEY (realm, file, change)
        ) WITHOUT ROWID;
        """

    private static let posted = """
        ALTER TABLE SyncRealm ADD COLUMN postedBytes INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE SyncPosted (
            realm INTEGER NOT NULL REFERENCES SyncRealm (realm),
            class TEXT NOT NULL,
            entry INTEGER NOT NULL,
            operation INTEGER NOT NULL,
            file INTEGER NOT NULL,
            user INTEGER NOT NULL,
            received INTEGER NOT NULL,
            document TEXT NOT NULL,
            PRIMARY KEY (realm, class, entry, operation)
        ) WITHOUT ROWID;
        """

    /// Puts the time of an entry in front of its bytes: what lies behind a large value is read through all of its pages.
    private static let timesBeforeEntries = """
        CREATE TABLE SyncEntryWithTimeFirst (
            realm INTEGER NOT NULL,
            number INTEGER NOT NULL,
            latestClock INTEGER NOT NULL,
            entry BLOB NOT NULL,
            PRIMARY KEY (realm, number)
        ) WITHOUT ROWID;
        INSERT INTO SyncEntryWithTimeFirst SELECT realm, number, latestClock, entry FROM SyncEntry ORDER BY realm, number;
        DROP TABLE SyncEntry;
        ALTER TABLE SyncEntryWithTimeFirst RENAME TO SyncEntry;
        """

    /// Keeps the time under which the newest entry that is gone was taken, and when the oldest that is there was received.
    ///
    /// The entries say so too, but whoever looks at all realms does not read an entry of each.
    private static let floors = """
        ALTER TABLE SyncRealm ADD COLUMN floorClock INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE SyncRealm ADD COLUMN oldestReceived INTEGER;
        """

    /// Keeps how many bytes the cells of each object take, so that none grows beyond what a page can hold.
    private static let bytesOfObjects = """
        ALTER TABLE SyncObject ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
        UPDATE SyncObject SET bytes = (
            SELECT coalesce(sum(length(path) + length(cell)), 0) FROM SyncCell WHERE SyncCell.object = SyncObject.object
        );
        """

    private static let objects = """
        CREATE TABLE SyncClass (
            class INTEGER PRIMARY KEY,
            realm INTEGER NOT NULL REFERENCES SyncRealm (realm),
            name TEXT NOT NULL,
            UNIQUE (realm, name)
        );
        CREATE TABLE SyncObject (
            object INTEGER PRIMARY KEY,
            class INTEGER NOT NULL REFERENCES SyncClass (class),
            key BLOB NOT NULL,
            epoch INTEGER NOT NULL,
            changed INTEGER NOT NULL,
            marks BLOB NOT NULL,
            UNIQUE (class, key)
        );
        """

    private static let contents = """
        CREATE TABLE SyncCell (
            object INTEGER NOT NULL,
            path BLOB NOT NULL,
            cell BLOB NOT NULL,
            PRIMARY KEY (object, path)
        ) WITHOUT ROWID;
        CREATE TABLE SyncLink (
            target INTEGER NOT NULL,
            owner INTEGER NOT NULL,
            path BLOB NOT NULL,
            PRIMARY KEY (target, owner, path)
        ) WITHOUT ROWID;
        """

    private static let lists = """
        CREATE TABLE SyncClearing (
            object INTEGER NOT NULL,
            path BLOB NOT NULL,
            stamp BLOB NOT NULL,
            PRIMARY KEY (object, path)
        ) WITHOUT ROWID;
        CREATE TABLE SyncElement (
            object INTEGER NOT NULL,
            path BLOB NOT NULL,
            element INTEGER NOT NULL,
            state BLOB NOT NULL,
            PRIMARY KEY (object, path, element)
        ) WITHOUT ROWID;
        CREATE TABLE SyncPlace (
            object INTEGER NOT NULL,
            path BLOB NOT NULL,
            stamp BLOB NOT NULL,
            anchor BLOB NOT NULL,
            element INTEGER NOT NULL,
            number INTEGER NOT NULL,
            PRIMARY KEY (object, path, stamp)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX SyncPlaceByAnchor ON SyncPlace (object, path, anchor, stamp);
        """
}
