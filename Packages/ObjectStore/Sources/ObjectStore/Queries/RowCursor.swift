import EventModel

/// Reads the rows of a query in batches while the program goes over them, so that a long result never lies in memory.
///
/// The cursor shows the rows as they were when it was made: before its connection lets go of the version, it reads all
/// that are left.
final class RowCursor {
    /// How many rows are read at once; a shorter result is read whole and kept by its ``ResultState``.
    static let batchCount = 256

    /// The rows of the current batch.
    private(set) var batch: [ObjectSnapshot] = []
    private let core: RealmCore
    private let table: ClassTable
    private let sql: String
    /// The statement behind the current batch; nil after the last row.
    private var statement: Statement?
    /// The rows that had to be read early.
    private var rest: [ObjectSnapshot]?

    /// Reads the first batch of a bound statement that nobody else uses; the table gets it back under its text.
    init(_ core: RealmCore, _ table: ClassTable, _ sql: String, _ statement: Statement) throws(Realm.Error) {
        self.core = core
        self.table = table
        self.sql = sql
        self.statement = statement
        batch.reserveCapacity(Self.batchCount)
        try fill()
        if self.statement != nil { core.store.register(self) }
    }

    deinit {
        guard statement != nil else { return }
        core.store.useWithoutVersion { giveBack() }
    }

    /// Whether every row was read.
    var isAtEnd: Bool { statement == nil && rest == nil }

    /// Replaces the batch with the next one.
    ///
    /// - Returns: False when there is none.
    func advance() -> Bool {
        core.checkThread()
        // The sweep of idle versions may be reading the rest.
        core.reading(or: ()) { () throws(Realm.Error) in
            if let rest {
                batch = rest
                self.rest = nil
            } else {
                batch.removeAll(keepingCapacity: true)
                try fill()
            }
        }
        return !batch.isEmpty
    }

    /// Reads all rows that are left, because the version that they belong to is about to go.
    func readRest() throws(Realm.Error) {
        guard let statement else { return }
        rest = try table.readRows(statement)
        giveBack()
    }

    private func fill() throws(Realm.Error) {
        guard let statement else { return }
        if try !table.readRows(statement, upTo: Self.batchCount, into: &batch) { giveBack() }
    }

    private func giveBack() {
        guard let statement else { return }
        statement.reset()
        table.giveBack(statement, sql)
        self.statement = nil
    }
}
