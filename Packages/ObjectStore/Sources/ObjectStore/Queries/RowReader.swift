import ColumnScans
import EventModel
import Synchronization

/// A statement in the middle of its rows, or keys whose rows are read one by one, for a ``RowCursor``.
///
/// It belongs to its connection: only who may use that touches it, whichever thread drops the cursor. All that a cursor
/// does on its way out is to say so.
final class RowReader {
    /// Where the rows come from that were not read yet.
    private enum Source {
        /// A statement that nobody else uses; the table gets it back under its text.
        case statement(Statement, sql: String)
        case keys(ArraySlice<Int64>)
        /// Columns in memory, and the rows of them that are meant.
        case packed(PackedRows, ArraySlice<Int>)
        case none
    }

    private let isAbandoned = Atomic<Bool>(false)
    private let table: ClassTable
    private var source: Source
    /// How it goes on with some columns only; nil when all are read to the end.
    private let narrowing: RowNarrowing?
    /// The columns that are read; nil for all.
    private var partial: PartialColumns?
    /// The key of the row that was read last; nil before the first.
    private var lastKey: Int64?
    /// The rows that had to be read early.
    private var rest: [ObjectSnapshot]?

    /// Goes over the rows of a bound statement that nobody else uses; the table gets it back under its text.
    init(_ table: ClassTable, _ sql: String, _ statement: Statement, _ narrowing: RowNarrowing?) {
        self.table = table
        self.narrowing = narrowing
        source = .statement(statement, sql: sql)
    }

    /// Goes over the rows of keys.
    init(_ table: ClassTable, _ keys: [Int64], _ narrowing: RowNarrowing?) {
        self.table = table
        self.narrowing = narrowing
        source = keys.isEmpty ? .none : .keys(keys[...])
    }

    /// Whether rows are left to be read.
    var isReading: Bool { if case .none = source { false } else { true } }

    /// Whether every row was taken.
    var isAtEnd: Bool { !isReading && rest == nil }

    /// The properties that the rows of the batch have that was read last; see ``LoadedSlots``.
    var loaded: UInt64 { partial?.loaded ?? LoadedSlots.all }

    /// Says that nobody wants the rows that are left, on any thread.
    func abandon() { isAbandoned.store(true, ordering: .releasing) }

    /// Replaces a batch with the next rows; with none at the end.
    func read(upTo count: Int, into batch: inout [ObjectSnapshot], _ core: RealmCore) throws(Realm.Error) {
        if let rest {
            batch = rest
            self.rest = nil
            return
        }
        if let lastKey { try narrow(behind: lastKey, core) }
        batch.removeAll(keepingCapacity: true)
        try readNext(count, into: &batch)
        lastKey = batch.last?.key ?? lastKey
    }

    /// Goes on with the columns that the program was seen to read.
    private func narrow(behind lastKey: Int64, _ core: RealmCore) throws(Realm.Error) {
        guard let narrowing, let wanted = table.partialColumns(), wanted !== partial else { return }
        switch source {
        case .statement:
            if let (packed, places) = narrowing.packedRows(wanted, behind: lastKey, table, core) {
                giveBack()
                source = places.isEmpty ? .none : .packed(packed, places)
            } else {
                guard let (statement, sql) = try narrowing.statement(wanted, behind: lastKey, table) else { return }
                giveBack()
                source = .statement(statement, sql: sql)
            }
        case .keys(let keys):
            if let (packed, places) = try narrowing.packedRows(wanted, of: keys, table, core) {
                source = places.isEmpty ? .none : .packed(packed, places)
            }
        case .packed(let packed, let places):
            let keys = places.map { packed.keys[$0] }[...]
            if let (packed, places) = try narrowing.packedRows(wanted, of: keys, table, core) {
                source = .packed(packed, places)
            } else {
                source = .keys(keys)
            }
        case .none: return
        }
        partial = wanted
    }

    private func readNext(_ count: Int, into batch: inout [ObjectSnapshot]) throws(Realm.Error) {
        switch source {
        case .statement(let statement, _):
            if try !table.readRows(statement, partial, upTo: count, into: &batch) { giveBack() }
        case .keys(let keys):
            let next = keys.prefix(count)
            source = next.endIndex == keys.endIndex ? .none : .keys(keys[next.endIndex...])
            if let partial {
                try table.readRows(inOrderOf: next, partial, into: &batch)
            } else {
                try table.readRows(inOrderOf: next, into: &batch)
            }
        case .packed(let packed, let places):
            guard let partial else { return }
            let next = places.prefix(count)
            source = next.endIndex == places.endIndex ? .none : .packed(packed, places[next.endIndex...])
            table.packRows(packed, at: next, partial, into: &batch)
        case .none: return
        }
    }

    /// Releases the statement, after reading all rows that are left for a cursor that still wants them.
    func finish() throws(Realm.Error) {
        if !isAbandoned.load(ordering: .acquiring), isReading {
            var rows: [ObjectSnapshot] = []
            while isReading { try readNext(.max, into: &rows) }
            rest = rows
        }
        giveBack()
    }

    /// Releases the statement if nobody wants its rows any more.
    func letGoIfAbandoned() {
        if isAbandoned.load(ordering: .acquiring) { giveBack() }
    }

    private func giveBack() {
        if case .statement(let statement, let sql) = source {
            statement.reset()
            table.giveBack(statement, sql)
        }
        source = .none
    }
}
