import ChangeModel
import ObjectQueries

/// The tables that a realm file has beside its classes when it keeps its changes for a server.
///
/// | table | what |
/// |---|---|
/// | `$sync` | one row: where the file is in the server's order, and what it numbers next |
/// | `$sync.pending` | the changes that no entry of the server has confirmed yet, as they are sent |
/// | `$sync.lives` | the names of embedded objects and nested collections, and what holds them |
/// | `$sync.links` | the links whose targets are not here, and what holds them |
/// | `$sync.places` | where elements that are not shown stand in the order that the server has |
/// | `$sync.hides` | which pending changes took an element away, moved it, or deleted what it links to; see `ListPlaces.Reason` |
/// | `$sync.placed` | the elements that stand where a pending change put them |
/// | `$sync.pages` | the pages of a snapshot that is under way |
/// | `$sync.newer` | the objects of a snapshot that are newer than the file's position |
/// | `$sync.unknown` | what the server said of classes and properties that no program has declared yet |
///
/// A list is named by its table in these, and its owner is that of its rows.
///
/// Each list has one column more, the ``StorageNames/element`` that travels with an element.
struct SyncTables {
    static let state = "\"$sync\""
    static let pending = "\"$sync.pending\""
    static let lives = "\"$sync.lives\""
    static let links = "\"$sync.links\""
    static let places = "\"$sync.places\""
    static let hides = "\"$sync.hides\""
    static let placed = "\"$sync.placed\""
    static let pages = "\"$sync.pages\""
    static let newer = "\"$sync.newer\""
    static let unknown = "\"$sync.unknown\""
    /// The name under which ``lives`` keeps lists and dictionaries inside values of any type.
    static let nested = "$nested"

    let connection: Connection

    /// Whether a name, not quoted, is that of one of these tables or of an index of one.
    static func isOne(_ name: String) -> Bool { name == "$sync" || name.hasPrefix("$sync.") }

    init(_ connection: Connection) { self.connection = connection }

    /// Whether the file keeps its changes.
    func exist() throws(Realm.Error) -> Bool {
        let found = try connection.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '$sync'")
        defer { found.reset() }
        return try found.step()
    }

    /// Lets a new file keep its changes; its classes get their tables afterwards.
    func create() throws(Realm.Error) {
        try connection.execute(
            """
            CREATE TABLE \(Self.state) (
                id INTEGER PRIMARY KEY CHECK (id = 1), history BLOB, file INTEGER, salt BLOB,
                position INTEGER NOT NULL, next INTEGER NOT NULL, clock INTEGER NOT NULL,
                settled INTEGER NOT NULL DEFAULT 0, sent INTEGER NOT NULL DEFAULT 0,
                acknowledged INTEGER NOT NULL DEFAULT 0, chain BLOB NOT NULL DEFAULT (zeroblob(32)),
                snapshotHistory BLOB, snapshotHead INTEGER, snapshotCursor BLOB, snapshotIsWhole INTEGER,
                snapshotAcknowledged INTEGER
            );
            UPDATE \(StoredSchema.realmTable) SET format = \(StoredSchema.syncedFormat);
            INSERT INTO \(Self.state) (id, position, next, clock) VALUES (1, 0, 1, 0);
            CREATE TABLE \(Self.pending) (
                number INTEGER PRIMARY KEY, body BLOB NOT NULL, wall INTEGER NOT NULL, monotonic INTEGER NOT NULL,
                boot BLOB NOT NULL, total INTEGER NOT NULL
            );
            CREATE TABLE \(Self.lives) (
                class TEXT NOT NULL, key INTEGER NOT NULL, life INTEGER NOT NULL,
                holderClass TEXT NOT NULL, holder INTEGER NOT NULL, property TEXT NOT NULL,
                PRIMARY KEY (class, key)
            ) WITHOUT ROWID;
            CREATE TABLE \(Self.links) (
                id INTEGER PRIMARY KEY, class TEXT NOT NULL, key, holderClass TEXT NOT NULL, holder INTEGER NOT NULL,
                property TEXT NOT NULL, step
            );
            CREATE INDEX "$sync.links.target" ON \(Self.links) (class, key);
            CREATE INDEX "$sync.links.holder" ON \(Self.links) (holderClass, holder, property, step);
            CREATE TABLE \(Self.places) (
                list TEXT NOT NULL, owner INTEGER NOT NULL, element INTEGER NOT NULL, position REAL NOT NULL,
                PRIMARY KEY (list, owner, element)
            ) WITHOUT ROWID;
            CREATE INDEX "$sync.places.order" ON \(Self.places) (list, owner, position);
            CREATE TABLE \(Self.hides) (
                list TEXT NOT NULL, owner INTEGER NOT NULL, element INTEGER NOT NULL, change INTEGER NOT NULL,
                isLink INTEGER NOT NULL, PRIMARY KEY (list, owner, element, change)
            ) WITHOUT ROWID;
            CREATE INDEX "$sync.hides.change" ON \(Self.hides) (change);
            CREATE TABLE \(Self.placed) (
                list TEXT NOT NULL, owner INTEGER NOT NULL, element INTEGER NOT NULL, change INTEGER NOT NULL,
                clock INTEGER NOT NULL, operation INTEGER NOT NULL, PRIMARY KEY (list, owner, element)
            ) WITHOUT ROWID;
            CREATE INDEX "$sync.placed.change" ON \(Self.placed) (change);
            CREATE TABLE \(Self.pages) (number INTEGER PRIMARY KEY, page BLOB NOT NULL);
            CREATE TABLE \(Self.newer) (changed INTEGER NOT NULL, page BLOB NOT NULL);
            CREATE TABLE \(Self.unknown) (
                id INTEGER PRIMARY KEY, holderClass TEXT NOT NULL, property TEXT NOT NULL, class TEXT NOT NULL, key,
                cell BLOB, isOwn INTEGER NOT NULL, change BLOB NOT NULL
            );
            CREATE INDEX "$sync.unknown.object" ON \(Self.unknown) (class, key);
            CREATE INDEX "$sync.unknown.holder" ON \(Self.unknown) (holderClass, property);
            """
        )
    }

    /// The index of a list by the elements' names.
    ///
    /// SQLite takes the rows of one owner for few, and would go through all of them: statements that look a name up write the owner as
    /// an expression, so that this is the index that is left.
    static func createElementIndex(of table: String, named name: String, _ connection: Connection) throws(Realm.Error) {
        try connection.execute(
            """
            CREATE INDEX IF NOT EXISTS \(StorageNames.quoted("\(name)$element")) \
            ON \(table) (\(StorageNames.element))
            """
        )
    }
}
