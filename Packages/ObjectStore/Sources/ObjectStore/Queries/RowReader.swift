import EventModel
import Synchronization

/// A statement in the middle of its rows, or keys whose rows are read one by one, for a ``RowCursor``.
///
/// It belongs to its connection: only who may use that touches it, whichever thread drops the cursor. All that a cursor
/// does on its way out is to say so.
final class RowReader {
    private let isAbandoned = Atomic<Bool>(false)
    private let table: ClassTable
    private let sql: String
    /// The statement behind the rows that were read; nil after the last row.
    private var statement: Statement?
    /// The keys of the rows that were not read yet, where they are known.
    private var keys: ArraySlice<Int64> = []
    /// The rows that had to be read early.
    private var rest: [ObjectSnapshot]?

    /// Goes over the rows of a bound statement that nobody else uses; the table gets it back under its text.
    init(_ table: ClassTable, _ sql: String, _ statement: Statement) {
        self.table = table
        self.sql = sql
        self.statement = statement
    }

    /// Goes over the rows of keys.
    init(_ table: ClassTable, _ keys: [Int64]) {
        self.table = table
        self.keys = keys[...]
        sql = ""
    }

    /// Whether rows are left to be read.
    var isReading: Bool { statement != nil || !keys.isEmpty }

    /// Whether every row was taken.
    var isAtEnd: Bool { !isReading && rest == nil }

    /// Says that nobody wants the rows that are left, on any thread.
    func abandon() { isAbandoned.store(true, ordering: .releasing) }

    /// Replaces a batch with the next rows; with none at the end.
    func read(upTo count: Int, into batch: inout [ObjectSnapshot]) throws(Realm.Error) {
        if let rest {
            batch = rest
            self.rest = nil
            return
        }
        batch.removeAll(keepingCapacity: true)
        if !keys.isEmpty {
            let next = keys.prefix(count)
            keys = keys[next.endIndex...]
            try table.readRows(inOrderOf: next, into: &batch)
        } else if let statement, try !table.readRows(statement, upTo: count, into: &batch) {
            giveBack()
        }
    }

    /// Releases the statement, after reading all rows that are left for a cursor that still wants them.
    func finish() throws(Realm.Error) {
        if !isAbandoned.load(ordering: .acquiring), isReading {
            if let statement { rest = try table.readRows(statement) } else { rest = try table.rows(inOrderOf: keys) }
        }
        giveBack()
    }

    /// Releases the statement if nobody wants its rows any more.
    func letGoIfAbandoned() {
        if isAbandoned.load(ordering: .acquiring) { giveBack() }
    }

    private func giveBack() {
        keys = []
        guard let statement else { return }
        statement.reset()
        table.giveBack(statement, sql)
        self.statement = nil
    }
}
