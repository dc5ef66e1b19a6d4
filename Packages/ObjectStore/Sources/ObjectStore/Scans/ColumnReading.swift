import ColumnScans
import EventModel
import ObjectQueries

/// Reads columns of a class from its table into packed ones.
struct ColumnReading {
    let table: ClassTable
    /// The columns; each has a type that can be packed.
    let slots: [Int]
    /// How many bytes they may take.
    let limit: Int

    /// Reads all rows.
    ///
    /// - Returns: nil when they take too much memory, or a value is of another type than its property.
    func all() throws(Realm.Error) -> PackedRows? {
        // An index that has the column would have its own order.
        try rows(of: try table.statement("\(selection) NOT INDEXED"))
    }

    /// Reads the rows of some keys.
    ///
    /// - Returns: nil as ``all()``.
    func rows(_ range: ClosedRange<Int64>) throws(Realm.Error) -> PackedRows? {
        let statement = try table.statement("\(selection) WHERE \(StorageNames.key) BETWEEN ?1 AND ?2")
        statement.bind(1, range.lowerBound)
        statement.bind(2, range.upperBound)
        return try rows(of: statement)
    }

    private var selection: String {
        let names = [StorageNames.key] + slots.map(table.column)
        return "SELECT \(ColumnPacker.name)(\(names.joined(separator: ", "))) FROM \(table.name)"
    }

    private func rows(of statement: Statement) throws(Realm.Error) -> PackedRows? {
        guard slots.count <= ColumnPacker.maximumColumnCount else { return nil }
        let packer = statement.packer
        packer.begin(slots.map { table.schema.shape.properties[$0].kind }, limit: limit)
        // Also after an error, the memory is given back.
        defer { _ = packer.end() }
        try statement.run()
        guard let (keys, columns) = packer.end() else { return nil }
        return PackedRows(keys: keys, columns: Dictionary(uniqueKeysWithValues: zip(slots, columns)))
    }
}
