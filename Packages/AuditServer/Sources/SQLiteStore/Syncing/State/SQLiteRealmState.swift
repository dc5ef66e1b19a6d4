package import ChangeModel
import EventModel
package import GRDB
import SyncServer

/// The state of one realm over the tables of a database, for one transaction.
///
/// Cells and objects are read once and written when the transaction ends, or before something looks along many of
/// them; lists are written at once. So the many writes of one cell in a transaction are one, and everything is a
/// look-up by key.
///
/// What a database throws is kept in ``failure``: from then on answers mean nothing, and nothing is written any more.
package final class SQLiteRealmState: RealmState {
    /// How many cells and objects are remembered between two changes, at most: 20,000, some megabytes.
    package static let rememberedRows = 20_000

    private let rememberedRows: Int
    let realm: Int64
    let statements: RealmStatements
    /// The number of the newest entry.
    package private(set) var head: Int
    /// How many more objects live than when the transaction began.
    private(set) var objectGrowth = 0
    /// How many more bytes the cells take.
    private(set) var contentGrowth = 0
    /// How many more bytes the cells of each object take that was not written since.
    private var growths: [Int64: Int] = [:]
    /// What failed first.
    package private(set) var failure: (any Error)?

    var files: [UInt32: FileRecord?] = [:]
    private(set) var changedFiles: Set<UInt32> = []
    var classes: [ExactText: Int64] = [:]
    private var objects = RememberedObjects()
    var cells = RememberedCells()
    /// The address that was asked for last, as the rules ask for one cell several times.
    var lastAddress: CellAddress?
    var lastKey = CellKey(object: 0, path: [])
    /// The greatest time up to the newest entry, once it is known.
    private var newest: (number: Int, clock: HybridClock)?
    /// The greatest time up to the entry that was asked for last: changes that were made at one position come together.
    private var asked: (number: Int, clock: HybridClock?)?

    /// Opens the state of a realm.
    ///
    /// - Parameters:
    ///   - realm: The number of the realm in the database.
    ///   - head: The number of its newest entry.
    ///   - rememberedRows: How many cells and objects are remembered between two changes.
    ///   - database: The database, in a transaction.
    package init(
        realm: Int64,
        head: Int,
        rememberedRows: Int = SQLiteRealmState.rememberedRows,
        in database: Database
    ) {
        self.realm = realm
        self.head = head
        self.rememberedRows = rememberedRows
        statements = RealmStatements(database)
    }

    /// Keeps what the body throws, and answers something else then.
    func keeping<Value>(or other: Value, _ body: () throws -> Value) -> Value {
        guard failure == nil else { return other }
        do {
            return try body()
        } catch {
            failure = error
            return other
        }
    }
}

// MARK: - Files

extension SQLiteRealmState {
    /// Returns what was taken of a file.
    package func progress(of file: UInt32) -> FileProgress {
        keeping(or: FileProgress()) { try record(of: file)?.progress ?? FileProgress() }
    }

    /// Notes that a change of a file took the next number.
    package func advance(_ file: UInt32, to progress: FileProgress) {
        keeping(or: ()) {
            guard var record = try record(of: file) else { throw SyncServerError.unknownFile }
            record.progress = progress
            files[file] = record
            changedFiles.insert(file)
            head += 1
        }
    }
}

// MARK: - Times

extension SQLiteRealmState {
    /// Returns the greatest time among all entries up to a number; nil where that is not kept.
    package func latestClock(through number: Int) -> HybridClock? {
        if let newest, newest.number == number { return newest.clock }
        if let asked, asked.number == number { return asked.clock }
        // That of the newest entry that is gone is kept beside the floor.
        let clock: HybridClock? = keeping(or: nil) {
            try keptClock(.latestClock, of: number) ?? keptClock(.floorClock, of: number)
        }
        // Also that nothing is kept, as of position 0 and below the floor: a device may have thousands of changes from there.
        asked = (number, clock)
        return clock
    }

    private func keptClock(_ kind: RealmStatement, of number: Int) throws -> HybridClock? {
        try statements.first(kind) { statement in
            try statement.bind(realm, at: 1)
            try statement.bind(number, at: 2)
        } _: {
            HybridClock(bits: UInt64(bitPattern: try $0.number(0)))
        }
    }

    /// Notes the time of the newest entry, and returns the greatest up to it.
    func noteClock(of entry: Entry) -> HybridClock {
        let clock = max(latestClock(through: entry.number - 1) ?? .zero, entry.clock)
        newest = (entry.number, clock)
        return clock
    }
}

// MARK: - Existence

extension SQLiteRealmState {
    /// Returns whether an object is there, and its marks.
    package func existence(of object: ObjectAddress) -> Existence {
        keeping(or: Existence()) { try row(of: object)?.existence ?? Existence() }
    }

    /// Keeps whether an object is there, and its marks.
    package func setExistence(_ existence: Existence, of object: ObjectAddress) {
        keeping(or: ()) {
            let former = try row(of: object)?.existence ?? Existence()
            guard existence != former else { return }
            if existence.isAlive != former.isAlive { objectGrowth += existence.isAlive ? 1 : -1 }
            try change(object) { $0.existence = existence }
        }
    }

    /// Notes which entry changed an object last.
    func touch(_ object: ObjectAddress, _ number: Int) throws { try change(object) { $0.changed = number } }

    /// Returns the row of an object; nil for one that nobody ever named.
    func row(of object: ObjectAddress) throws -> ObjectRow? {
        // Before the objects are looked at, as this may add one.
        let index = try index(of: object)
        return objects[index]
    }

    /// Returns the number of an object, which gets one if it has none.
    func number(of object: ObjectAddress) throws -> Int64 {
        let index = try index(of: object)
        return try number(at: index, object)
    }

    private func number(at index: Int, _ object: ObjectAddress) throws -> Int64 {
        if let row = objects[index] { return row.number }
        guard let number = try classNumber(object.className, making: true) else { throw OrderedReader.damage }
        try statements.run(.addObject) { statement in
            try statement.bind(number, at: 1)
            try statement.bind(OrderedBytes.of(object.key), at: 2)
        }
        let row = ObjectRow(number: statements.lastNumber)
        objects.name(index, row)
        return row.number
    }

    /// Returns where an object is remembered, which is read if it is not yet.
    private func index(of object: ObjectAddress) throws -> Int {
        if let index = objects.index(of: object) { return index }
        guard let number = try classNumber(object.className, making: false) else { return objects.add(object, nil) }
        let row = try statements.first(.findObject) { statement in
            try statement.bind(number, at: 1)
            try statement.bind(OrderedBytes.of(object.key), at: 2)
        } _: { statement in
            ObjectRow(
                number: try statement.number(0),
                existence: Existence(
                    epoch: Int(try statement.number(1)),
                    marks: try RealmPacking.marks(try statement.blob(3))
                ),
                changed: Int(try statement.number(2)),
                bytes: Int(try statement.number(4))
            )
        }
        return objects.add(object, row)
    }

    /// How many bytes the cells of an object take, with what was allowed to come.
    func bytes(of object: ObjectAddress) -> Int { keeping(or: 0) { try row(of: object)?.bytes ?? 0 } }

    /// Notes what is allowed to come to an object that is there: it counts before it is written.
    func allow(_ bytes: Int, for object: ObjectAddress) {
        keeping(or: ()) {
            let index = try index(of: object)
            objects.add(bytes: bytes, at: index)
        }
    }

    /// Counts what the cells of an object take more, or less.
    func grow(_ object: Int64, by bytes: Int) {
        contentGrowth += bytes
        growths[object, default: 0] += bytes
    }

    private func change(_ object: ObjectAddress, _ body: (inout ObjectRow) -> Void) throws {
        let index = try index(of: object)
        _ = try number(at: index, object)
        objects.change(index, body)
    }
}

// MARK: - Writing

extension SQLiteRealmState {
    /// Writes what is only remembered so far.
    ///
    /// - Throws: What failed first since the transaction began.
    package func flush() throws {
        if let failure { throw failure }
        try flushCells()
        for row in objects.takeDirty() {
            try statements.run(.updateObject) { statement in
                try statement.bind(row.existence.epoch, at: 1)
                try statement.bind(row.changed, at: 2)
                try statement.bind(RealmPacking.pack(row.existence.marks), at: 3)
                try statement.bind(growths.removeValue(forKey: row.number) ?? 0, at: 4)
                try statement.bind(row.number, at: 5)
            }
        }
        for (object, bytes) in growths where bytes != 0 {
            try statements.run(.growObject) { statement in
                try statement.bind(bytes, at: 1)
                try statement.bind(object, at: 2)
            }
        }
        growths = [:]
    }

    /// Forgets what is remembered where that is much, so that a transaction takes no more memory the longer it is.
    func forgetMuch() throws {
        guard cells.count + objects.count > rememberedRows else { return }
        try flush()
        cells = RememberedCells()
        objects = RememberedObjects()
        lastAddress = nil
    }
}
