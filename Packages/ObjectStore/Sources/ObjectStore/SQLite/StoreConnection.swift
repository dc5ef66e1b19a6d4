import EventModel
import Foundation
import ObjectQueries
import Synchronization

/// A connection with the tables of a schema, reading one version at a time.
final class StoreConnection {
    private(set) var connection: Connection
    let tables: [ClassTable]
    /// The version that is read, or was read last.
    private(set) var version: UInt64 = 0
    /// Grows whenever anything that was read may have changed.
    var generation: UInt64 = 1
    /// Whether a version is pinned, and who works with the connection.
    let pin = PinState()
    /// Held by whichever thread uses the connection, once it is that of a frozen instance.
    @exclusivity(unchecked)
    private(set) var sharing: NSRecursiveLock?
    /// The thread that reads the pinned version; all others have to check their executor first.
    let reader = Atomic<UInt>(0)
    /// Called when a version was pinned.
    var didPin: (() -> Void)?
    /// How deep uses of the connection are nested.
    @exclusivity(unchecked)
    private var useDepth = 0
    /// Whether the instance relies on a pinned version; the sweep may have released it.
    @exclusivity(unchecked)
    private var wantsPin = false
    /// Whether somebody wants to know the version of each row, so that every row is read again at each version.
    var stampsRows = false
    /// Called when another version is read, whoever made it.
    var didMove: (() -> Void)?
    /// Called when rows are read that name another version, while somebody wants to know it.
    var didStamp: (() -> Void)?
    /// Whether the file keeps its place in the order of a server.
    let isSynced: Bool
    /// The table that was asked for last: the same class mostly comes many times in a row.
    @exclusivity(unchecked)
    private var lastFound: ClassTable?
    /// What the open transaction did, if the file keeps its changes.
    let touchedCells: TouchedCells?
    /// What the open transaction touched of classes that are not managed.
    var touchedUnmanaged: [String: TouchedRows] = [:]
    /// What the file has beyond the classes of this connection, and the state of the file's schema that says so.
    private var unmanaged: (cookie: Int64, places: UnmanagedPlaces)?
    /// Whether the transaction that is open has looked: nobody else can change the schema meanwhile.
    private var knowsUnmanaged = false
    /// Whether the tables of the classes are being changed.
    private var isMigrating = false
    /// What is in the middle of its rows, or was when its cursor was dropped.
    private var readers: [RowReader] = []
    private let byType: [ObjectIdentifier: ClassTable]
    private let byName: [String: ClassTable]
    @exclusivity(unchecked)
    private var statements: StoreStatements
    private let isReadOnly: Bool
    /// What each transaction touched; nil when a file that is opened read-only has no log.
    var changeLog: ChangeLog? { statements.changeLog }
    /// What observers keep with transactions.
    var notes: NoteTable { statements.notes }
    /// Keeps a change for a server; nil before the first.
    var insertPending: Statement? {
        get { statements.insertPending }
        set { statements.insertPending = newValue }
    }

    init(_ connection: Connection, _ schema: RealmSchema, isReadOnly: Bool) throws(Realm.Error) {
        self.connection = connection
        tables = schema.classes.map { ClassTable(schema: $0, connection: connection) }
        byType = Dictionary(uniqueKeysWithValues: tables.map { (ObjectIdentifier($0.schema.type), $0) })
        byName = Dictionary(uniqueKeysWithValues: tables.map { ($0.schema.name, $0) })
        statements = try StoreStatements(connection, isReadOnly: isReadOnly)
        self.isReadOnly = isReadOnly
        isSynced = try SyncTables(connection).exist()
        touchedCells = isSynced && !isReadOnly ? TouchedCells() : nil
        for table in tables { table.touchedCells = touchedCells }
    }

    deinit {
        pin.end()
    }

    /// The table of a class, or nil when the schema does not have it.
    @inline(__always)
    func table(_ type: ObjectBase.Type) -> ClassTable? {
        if let lastFound, lastFound.schema.type == type { return lastFound }
        return search(type)
    }

    @inline(never)
    private func search(_ type: ObjectBase.Type) -> ClassTable? {
        guard let table = byType[ObjectIdentifier(type)] else { return nil }
        // Several threads ask a frozen instance at once.
        if sharing == nil { lastFound = table }
        return table
    }

    /// The table of a class by its stored name.
    func table(named name: String) -> ClassTable? { byName[name] }

    // MARK: Use

    /// Runs work with the connection, which the sweep of idle versions leaves alone meanwhile.
    @inline(__always)
    func use<Result>(_ body: () throws(Realm.Error) -> Result) throws(Realm.Error) -> Result {
        if let sharing {
            sharing.lock()
            defer { sharing.unlock() }
            return try body()
        }
        enter()
        defer { leave() }
        if wantsPin, !isReading { try startReading() }
        return try body()
    }

    /// Lets all threads use the connection, which keeps its version from now on.
    ///
    /// - Precondition: A version is pinned, and nothing was read yet.
    func share() { sharing = NSRecursiveLock() }

    /// Goes on with another connection, and gives the one away that reads the pinned version.
    func replaceConnection(with new: Connection) throws(Realm.Error) -> Connection {
        let newStatements = try StoreStatements(new, isReadOnly: isReadOnly)
        enter()
        defer { leave() }
        try finishReaders()
        unpin()
        let old = connection
        connection = new
        statements = newStatements
        touchedCells?.known = nil
        for table in tables { table.reconnect(new) }
        return old
    }

    @inline(__always)
    private func enter() {
        if useDepth == 0 { pin.enter() }
        useDepth += 1
    }

    @inline(__always)
    private func leave() {
        useDepth -= 1
        if useDepth == 0 { pin.leave() }
    }

    /// Releases a version that the instance pins but has not used for a while; run by the sweep.
    func letGoOfIdleVersion() {
        guard pin.beginSweep() else { return }
        defer { pin.endSweep() }
        setReader(.none)
        do throws(Realm.Error) {
            try finishReaders()
            try statements.commit.run()
        } catch {
            // The instance finds out by itself when it reads on: a read transaction holds nothing that could be lost.
            return
        }
    }

    // MARK: Transactions

    /// Whether a transaction pins the version.
    @inline(__always)
    var isReading: Bool { pin.isPinned }

    /// Pins the newest version unless one is pinned.
    @inline(__always)
    func beginReading() throws(Realm.Error) {
        wantsPin = true
        if !pin.isFresh { try use { () throws(Realm.Error) in } }
    }

    private func startReading() throws(Realm.Error) {
        // A sweep that failed has left the transaction open.
        if !connection.isInTransaction { try statements.begin.run() }
        pin.setPinned(true)
        do throws(Realm.Error) {
            try adoptVersion()
        } catch {
            // A version that is not known must not be read: the next use begins anew.
            pin.setPinned(false)
            if connection.isInTransaction { try statements.rollback.run() }
            throw error
        }
        didPin?()
    }

    /// Releases the pinned version.
    func endReading() throws(Realm.Error) {
        wantsPin = false
        enter()
        defer { leave() }
        guard isReading else { return }
        try finishReaders()
        unpin()
        try statements.commit.run()
    }

    private func unpin() {
        wantsPin = false
        pin.setPinned(false)
        setReader(.none)
    }

    /// Names the thread that may read rows without another check.
    func setReader(_ thread: ConfinedThread) {
        reader.store(thread.bits, ordering: .relaxed)
        // Whoever reads a property that can be tracked has to say so.
        for table in tables where !table.schema.isObservable { table.reader.store(thread.bits, ordering: .relaxed) }
    }

    private func finishReaders() throws(Realm.Error) {
        for reader in readers { try reader.finish() }
        readers.removeAll()
    }

    /// Takes the write lock of the file and reads the newest version; waits while another process holds it.
    func beginWriting() throws(Realm.Error) {
        try endReading()
        enter()
        do throws(Realm.Error) {
            try statements.beginWrite.run()
            wantsPin = true
            pin.setPinned(true)
            try adoptVersion()
            didPin?()
        } catch {
            try endWriting()
            throw error
        }
    }

    /// Makes the changes durable under the version that the change log says; releases the pin.
    ///
    /// - Parameters:
    ///   - newVersion: The version.
    ///   - remembersRows: Whether somebody will ask which rows were written.
    /// - Throws: A `Realm.Error` when the file cannot be written to.
    func commitWriting(version newVersion: UInt64, remembersRows: Bool = false) throws(Realm.Error) {
        guard !isReadOnly else { return }
        try statements.commit.run()
        try endWriting()
        if newVersion != version {
            for table in tables {
                table.written =
                    remembersRows ? WrittenRows(version: newVersion, new: table.newRows, table.touched) : nil
            }
        }
        setVersion(newVersion)
        // The rows of what the transaction touched became stale with each of its changes.
        if stampsRows { stampRows() }
        forgetTouchedRows()
    }

    /// Discards the changes; releases the pin.
    func rollbackWriting() throws(Realm.Error) {
        defer {
            notes.didRollBack()
            touchedCells?.known = nil
            invalidateRows()
            forgetTouchedRows()
        }
        try endWriting()
    }

    /// Gives the connection up after a transaction, rolling back what is left of it.
    private func endWriting() throws(Realm.Error) {
        defer { leave() }
        unpin()
        // A failure such as a full disk may have rolled back already.
        if connection.isInTransaction { try statements.rollback.run() }
    }

    /// Takes part in the migration that somebody else began on the connection.
    func joinMigration() throws(Realm.Error) {
        isMigrating = true
        enter()
        wantsPin = true
        pin.setPinned(true)
        try adoptVersion()
    }

    /// Leaves the migration to whoever ends it.
    func leaveMigration() {
        unpin()
        leave()
        isMigrating = false
        forgetTouchedRows()
    }

    /// Lets a cursor have its rows before the version goes; outside of write transactions only.
    func register(_ reader: RowReader) { readers.append(reader) }

    /// Takes the statements back of cursors that were dropped before their end.
    ///
    /// - Complexity: O(*n*) in the count of cursors that are in the middle of their rows.
    func forgetAbandonedReaders() {
        guard !readers.isEmpty else { return }
        for reader in readers { reader.letGoIfAbandoned() }
        readers.removeAll { !$0.isReading }
    }

    private func adoptVersion() throws(Realm.Error) {
        guard try statements.readVersion.step() else {
            throw Realm.Error(.invalidDatabase, "The realm file has no version.", fileURL: connection.fileURL)
        }
        let current = UInt64(bitPattern: statements.readVersion.int(0))
        statements.readVersion.reset()
        guard current != version else { return }
        let changes = try changes(upTo: current)
        setVersion(current)
        if stampsRows { stampRows() }
        invalidateRows(changedBy: changes)
        didMove?()
    }

    private func setVersion(_ newVersion: UInt64) {
        version = newVersion
        for table in tables { table.version = newVersion }
    }

    /// What the file has beyond the classes of this connection, inside of a write transaction.
    ///
    /// - Complexity: A look at the file's schema for each transaction; the description of the classes is read only when the
    ///   schema is not the one that was seen before.
    func unmanagedPlaces() throws(Realm.Error) -> UnmanagedPlaces {
        if knowsUnmanaged, let unmanaged { return unmanaged.places }
        _ = try statements.schemaCookie.step()
        let cookie = statements.schemaCookie.int(0)
        statements.schemaCookie.reset()
        knowsUnmanaged = !isMigrating
        if let unmanaged, unmanaged.cookie == cookie { return unmanaged.places }
        let places = UnmanagedPlaces(
            try StoredSchema(connection).classes(),
            managed: tables.map(\.schema),
            isMigration: isMigrating
        )
        unmanaged = (cookie, places)
        return places
    }

    // MARK: Staleness

    /// Makes every row stale.
    func invalidateRows() {
        generation += 1
        for table in tables { table.didChangeRows() }
    }

    /// Lets each row be read again, so that it names the version that is read now.
    private func stampRows() {
        generation += 1
        for table in tables { table.didChangeVersion() }
        didStamp?()
    }

    private func forgetTouchedRows() {
        for table in tables {
            table.newRows = NewRows()
            table.nextKey = nil
            table.touched = TouchedRows()
            table.didEndTransaction()
        }
        touchedCells?.end(tables)
        touchedUnmanaged = [:]
        knowsUnmanaged = false
    }

    /// Lets each accessor read its row again, though none changed.
    func lookAgain() {
        for table in tables { table.lookAgain() }
    }

    /// Makes the rows of the classes stale that another instance changed.
    private func invalidateRows(changedBy changes: LoggedChanges) {
        generation += 1
        for table in tables where changes[table.schema.name] != nil { table.didChangeRows() }
    }

    // MARK: Changes

    /// What happened since a version, up to the one that is read now.
    func changes(since old: UInt64) throws(Realm.Error) -> LoggedChanges {
        try changes(after: old, upTo: version)
    }

    private func changes(upTo new: UInt64) throws(Realm.Error) -> LoggedChanges {
        try changes(after: version, upTo: new)
    }

    private func changes(after old: UInt64, upTo new: UInt64) throws(Realm.Error) -> LoggedChanges {
        guard old > 0, let changeLog else { return .unknown }
        return try changeLog.changes(after: old, upTo: new) { name in table(named: name)?.signature }
    }
}
