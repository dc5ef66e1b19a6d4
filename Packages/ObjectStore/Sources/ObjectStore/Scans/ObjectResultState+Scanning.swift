import ColumnScans
import EventModel
import ObjectQueries

/// The keys that a scan of columns found, in order.
struct ScannedKeys {
    /// What the store's generation was.
    let generation: UInt64
    let keys: [Int64]
    /// How many objects the class has.
    let rowCount: Int
    /// How many rows were read one by one.
    var singleReads = 0

    /// How many rows are read one by one at most before reading all of them in one pass costs less: one in as many.
    private static let selectiveShare = 4

    /// Whether few rows are found, compared with those that there are.
    var areFew: Bool { keys.count <= rowCount / Self.selectiveShare }

    /// Whether so many rows were read one by one that it pays to read all.
    var areWorn: Bool { singleReads > 64 + keys.count / 8 }
}

extension ObjectResultState {
    /// The keys of all that is found; nil when SQLite has to find it.
    func scannedKeys() throws(Realm.Error) -> ScannedKeys? {
        guard let scan else { return nil }
        if let scanned, scanned.generation == core.store.generation { return scanned }
        guard let rows = try packedRows(for: scan) else { return nil }
        let found = ScannedKeys(
            generation: core.store.generation,
            keys: scan.keys(in: rows),
            rowCount: rows.keys.count
        )
        scanned = found
        return found
    }

    /// The keys of the rows to read one by one; nil when SQLite reads them sooner, or has to find them.
    func keysToRead() throws(Realm.Error) -> [Int64]? {
        // An order that SQLite makes takes as long as to pack the columns.
        guard let scan, scan.isOrdered || isScanWorthwhile(scan), let found = try scannedKeys(),
            found.areFew || scan.isOrdered
        else { return nil }
        return found.keys
    }

    /// The key of what is found at an index; nil when all rows are read sooner.
    ///
    /// - Returns: The key, which is nil behind the last one.
    func scannedKey(at index: Int) throws(Realm.Error) -> Int64?? {
        guard let scan, isScanWorthwhile(scan), let found = try scannedKeys(), !found.areWorn else { return nil }
        scanned?.singleReads += 1
        return .some(found.keys.indices.contains(index) ? found.keys[index] : nil)
    }

    /// The key of the first that is found in an order of its own; nil when SQLite finds it.
    ///
    /// - Returns: The key, which is nil when nothing is found.
    func firstScannedKey() throws(Realm.Error) -> Int64?? {
        guard let scan, scan.isOrdered, !scan.isOrderIndexed else { return nil }
        if let scanned, scanned.generation == core.store.generation { return .some(scanned.keys.first) }
        guard isScanWorthwhile(scan), let rows = try packedRows(for: scan) else { return nil }
        return .some(scan.keys(in: rows, limit: 1).first)
    }

    /// The key of the last that is found in an order of its own; nil when SQLite finds it.
    ///
    /// - Returns: The key, which is nil when nothing is found.
    func lastScannedKey() throws(Realm.Error) -> Int64?? {
        guard let scan, scan.isOrdered, !scan.isOrderIndexed, isScanWorthwhile(scan), let found = try scannedKeys()
        else { return nil }
        return .some(found.keys.last)
    }
}

extension ClassTable {
    /// Reads rows one by one, in the order of their keys; keys without a row are left out.
    func rows(inOrderOf keys: some Sequence<Int64>) throws(Realm.Error) -> [ObjectSnapshot] {
        var rows: [ObjectSnapshot] = []
        try readRows(inOrderOf: keys, into: &rows)
        return rows
    }

    /// Adds rows that are read one by one, in the order of their keys; keys without a row are left out.
    func readRows(inOrderOf keys: some Sequence<Int64>, into rows: inout [ObjectSnapshot]) throws(Realm.Error) {
        writer.reuseMemory()
        for key in keys {
            if let row = try row(key) { rows.append(row) }
        }
    }
}
