import ColumnScans
import EventModel
import ObjectQueries

/// How the reading of a query's rows goes on with some of the columns.
struct RowNarrowing {
    let asked: AskedQuery
    /// How many objects the class has, where that is known.
    var rowCount = Int.max

    /// One in how many rows has to be wanted before it costs less to read a column of all rows into memory than to look each up.
    ///
    /// Queries that find fewer are added up: a program that asks again and again has the columns in memory after it has spent on
    /// rows what the columns cost, so that it never spends more than twice of what was the least.
    private static let fillingShare = 6

    /// The statement that goes on behind a key, bound; nil when the query has another order than that of the keys.
    func statement(
        _ partial: PartialColumns,
        behind key: Int64,
        _ table: ClassTable
    ) throws(Realm.Error) -> (Statement, sql: String)? {
        let query = asked.prepared.query
        guard let sql = query.selectBehind(table.columnList(of: query.alias, partial.columns)) else { return nil }
        let statement = try table.takeStatement(sql)
        for (index, value) in asked.arguments.enumerated() {
            value.bind(to: statement.handle, at: Int32(index + 1))
        }
        statement.bind(Int32(asked.arguments.count + 1), key)
        return (statement, sql)
    }

    /// The rows behind a key in columns that are in memory anyway; nil when they are not, or not all rows are meant.
    func packedRows(
        _ partial: PartialColumns,
        behind key: Int64,
        _ table: ClassTable,
        _ core: RealmCore
    ) -> (PackedRows, ArraySlice<Int>)? {
        guard asked.prepared.isEverything, partial.isPackable,
            let packed = core.file.columns.known(table, core.store, partial.slots)
        else { return nil }
        let first = packed.row(behind: key)
        return (packed, Array(first..<packed.keys.count)[...])
    }

    /// The rows of keys in columns in memory; nil when they are few, so that each is looked up sooner.
    func packedRows(
        _ partial: PartialColumns,
        of keys: ArraySlice<Int64>,
        _ table: ClassTable,
        _ core: RealmCore
    ) throws(Realm.Error) -> (PackedRows, ArraySlice<Int>)? {
        guard partial.isPackable else { return nil }
        if core.file.columns.known(table, core.store, partial.slots) == nil {
            partial.wantedRowCount += keys.count
            guard partial.wantedRowCount > rowCount / Self.fillingShare else { return nil }
            partial.wantedRowCount = 0
        }
        guard
            let packed = try core.file.columns.columns(
                table,
                core.store,
                for: .reading(partial.slots),
                limit: core.configuration.maximumColumnCacheSize
            )
        else { return nil }
        return (packed, keys.compactMap { packed.row(of: $0) }[...])
    }
}
