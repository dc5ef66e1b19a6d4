import ObjectQueries

/// The objects of asymmetric classes that wait to be sent, in the order of their creation, of a realm that does not sync.
///
/// A realm that syncs sends them by itself, with its changes, and has none here, unless its file had some before it synced.
///
/// A table of the realm's own file, so that an entry is there exactly when the transaction that made it was committed. The
/// entries are no objects: they are in no query, a realm with entries only is empty, and a later version of a class leaves
/// them as they are. Whoever sends them takes the oldest ones, sends them, and removes them once they were acknowledged:
///
/// ```swift
/// while case let entries = try realm.outbox.entries(), let last = entries.last {
///     try await send(entries.map(\.document))
///     try realm.write { realm in realm.outbox.remove(through: last.key) }
/// }
/// ```
/// An entry that was sent but not yet removed is taken again after a crash: its primary key tells the receiver.
///
/// Nothing limits how many wait; look at ``count`` before creating more while nothing can be sent.
public struct Outbox {
    /// One object that waits.
    public struct Entry: Sendable, Hashable {
        /// Grows with every entry and is never given again.
        public let key: Int64
        /// The stored name of the class.
        public let className: String
        /// The object as canonical Extended JSON, its properties under their stored names.
        public let document: String
    }

    private static let table = StorageNames.quoted("$outbox")
    private static let document = StorageNames.quoted("$document")

    static let creation = """
        CREATE TABLE IF NOT EXISTS \(table) (
            \(StorageNames.key) INTEGER PRIMARY KEY AUTOINCREMENT, \(StorageNames.ownerClass) TEXT NOT NULL,
            \(document) TEXT NOT NULL
        )
        """

    private let realm: RealmCore

    /// How many entries wait, those of an open transaction among them; 0 when the file cannot be read.
    ///
    /// - Complexity: O(*n*) in the count of entries.
    public var count: Int {
        realm.checkThread()
        guard !realm.schema.asymmetric.isEmpty else { return 0 }
        realm.beginReading()
        return realm.reading(or: 0) { () throws(Realm.Error) in
            let statement = try prepare("SELECT count(*) FROM \(Self.table)")
            return try statement.step() ? Int(statement.int(0)) : 0
        }
    }

    init(_ realm: RealmCore) { self.realm = realm }

    func append(className: String, document: String) throws(Realm.Error) {
        let statement = try prepare(
            "INSERT INTO \(Self.table) (\(StorageNames.ownerClass), \(Self.document)) VALUES (?1, ?2)"
        )
        statement.bind(1, className)
        statement.bind(2, document)
        try statement.run()
        realm.transaction.didChange()
    }

    /// Returns the oldest entries, those of an open transaction among them.
    ///
    /// - Parameter limit: How many at most; none for 0.
    /// - Returns: The entries in the order of their creation; none when the realm has no asymmetric class.
    /// - Throws: ``Realm/Error`` when the file cannot be read.
    public func entries(limit: Int = 100) throws(Realm.Error) -> [Entry] {
        realm.checkThread()
        guard !realm.schema.asymmetric.isEmpty else { return [] }
        realm.beginReading()
        let statement = try prepare(
            """
            SELECT \(StorageNames.key), \(StorageNames.ownerClass), \(Self.document) FROM \(Self.table) \
            ORDER BY \(StorageNames.key) LIMIT ?1
            """
        )
        statement.bind(1, Int64(max(limit, 0)))
        var entries: [Entry] = []
        while try statement.step() {
            entries.append(
                Entry(key: statement.int(0), className: statement.text(1), document: statement.text(2))
            )
        }
        return entries
    }

    /// Removes the entries up to a key, which were sent; those that came later stay.
    ///
    /// - Parameter key: The ``Entry/key`` of the last entry to remove.
    /// - Precondition: A transaction is open.
    public func remove(through key: Int64) {
        realm.checkThread()
        guard !realm.schema.asymmetric.isEmpty, realm.transaction.mayMutate(named: { "empty the outbox" }) else {
            return
        }
        realm.transaction.mutating { () throws(Realm.Error) in
            let statement = try prepare("DELETE FROM \(Self.table) WHERE \(StorageNames.key) <= ?1")
            statement.bind(1, key)
            try statement.run()
            realm.transaction.didChange()
        }
    }

    private func prepare(_ sql: String) throws(Realm.Error) -> Statement {
        try realm.store.connection.prepare(sql)
    }
}

extension Realm {
    /// The objects of asymmetric classes that wait to be sent.
    public var outbox: Outbox { Outbox(core) }
}
