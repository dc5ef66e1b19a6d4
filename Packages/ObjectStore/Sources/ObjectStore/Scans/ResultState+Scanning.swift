import CSQLite
import ColumnScans
import EventModel
import Foundation
import ObjectQueries

extension ResultState {
    /// The packed columns that a scan needs; nil when SQLite has to answer.
    final func packedRows(for scan: ColumnScan) throws(Realm.Error) -> PackedRows? {
        try core.file.columns.columns(table, core.store, for: scan, limit: core.configuration.maximumColumnCacheSize)
    }

    /// Whether columns are there for a query that reads rows as well, or it asks for them again.
    final func isScanWorthwhile(_ scan: ColumnScan) -> Bool {
        core.file.columns.isWorthwhile(table.schema.name, scan.slots)
    }

    /// Counts what is found; nil when SQLite has to.
    final func scannedCount() throws(Realm.Error) -> Int? {
        guard let scan, let rows = try packedRows(for: scan) else { return nil }
        return scan.found(in: rows).count
    }

    /// Computes an aggregate of a slot's values; nil when SQLite has to.
    ///
    /// - Returns: The result, which is nil when there is no value.
    final func scanned<T: _ScalarValue>(_ aggregate: Aggregate, _ path: PropertyPath) throws(Realm.Error) -> T?? {
        let (shape, schema) = (table.schema.shape, core.schema.queries)
        guard let scan, plan.className == shape.name, let slot = ScanCompiler.slot(path, of: shape, schema) else {
            return nil
        }
        let property = shape.properties[slot]
        let isIndexed = schema.isIndexed(property, of: shape)
        switch aggregate {
        // The first or last of an index costs less than a look at each value.
        case .min, .max: guard !isIndexed || plan.predicate != .always else { return nil }
        // Numbers are rounded as they are added, in the order of an index if SQLite takes that.
        case .sum: guard property.kind == .int || Self.addsPlainly && !isIndexed else { return nil }
        case .average: guard Self.addsPlainly, !isIndexed else { return nil }
        }
        let wider = scan.adding(slot)
        guard let rows = try packedRows(for: wider), let column = rows.columns[slot] else { return nil }
        let values = ColumnAggregate(wider.found(in: rows), column)
        let result =
            switch aggregate {
            case .min: values.minimum
            case .max: values.maximum
            case .sum: values.sum
            case .average: values.mean
            }
        return .some(result.flatMap { T.scanned($0) })
    }

    /// Whether SQLite adds numbers one after the other; from 3.43 on it makes up for what is lost by rounding.
    private static var addsPlainly: Bool { sqlite3_libversion_number() < 3_043_000 }
}

extension _ScalarValue {
    /// Takes a result as a column with it would be read.
    fileprivate static func scanned(_ result: ColumnAggregate.Result) -> Self? {
        switch result {
        case .integer(let number): return aggregated(.int(number))
        case .number(let number):
            switch _kind {
            case .float: return aggregated(.float(Float(number)))
            case .date: return aggregated(.date(Date(timeIntervalSinceReferenceDate: number)))
            case .int: return aggregated(.int(Int64(clamping: number)))
            default: return aggregated(.double(number))
            }
        }
    }
}

extension Int64 {
    /// The whole part of a number, as near as an integer can be.
    fileprivate init(clamping number: Double) {
        self = Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }
}
