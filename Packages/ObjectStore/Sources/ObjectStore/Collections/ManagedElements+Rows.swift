import EventModel
import ObjectQueries

// The rows of elements that are objects: read when one of them is taken out, together with those around it.
extension ManagedElements {
    /// How many elements have their rows read together where they are taken out one by one.
    static var rowBatch: Int { 64 }

    /// The rows of some elements; read with those around them, if the elements are still those of the realm.
    func rows(in range: Range<Int>, of contents: Contents) -> ContiguousArray<_ElementRow?> {
        // What several threads read at once was read at the beginning.
        if contents.generation == self.contents.generation, let realm = core.realm, !realm.isFrozen {
            let start = range.lowerBound - range.lowerBound % Self.rowBatch
            readRows(start..<min(max(range.upperBound, start + Self.rowBatch), contents.rows.count))
            return ContiguousArray(self.contents.rows[range])
        }
        return ContiguousArray(contents.rows[range])
    }

    /// Makes sure that rows of elements were read, if the elements are still those of the realm.
    ///
    /// Objects that are there more than once are read once. An element without an object, which only a damaged file has, becomes null.
    private func readRows(_ range: Range<Int>) {
        guard let target = property.type.target, let realm = core.realm else { return }
        let table = realm.requireTable(target)
        if recent.generation != table.generation || recent.rows.count > Self.rowBatch * 32 {
            recent = (table.generation, [:])
        }
        var missing = Set<Int64>()
        var isComplete = true
        for index in range {
            guard let row = contents.rows[index], row.snapshot == nil else { continue }
            isComplete = false
            if recent.rows[row.key] == nil { missing.insert(row.key) }
        }
        guard !isComplete else { return }
        let isRead: Bool = realm.reading(or: false) { () throws(Realm.Error) in
            if missing.count > range.count / 2 {
                for row in try joinedRows(range, table) { recent.rows[row.key] = row }
            } else {
                for key in missing { recent.rows[key] = try table.row(key) }
            }
            return true
        }
        // A row that cannot be read is not gone.
        guard isRead else { return }
        for index in range {
            guard let row = contents.rows[index], row.snapshot == nil else { continue }
            let snapshot = recent.rows[row.key]
            contents.rows[index] = snapshot.map {
                _ElementRow(key: row.key, snapshot: $0, generation: table.generation)
            }
        }
    }

    /// Reads the rows of a range of elements with one statement.
    private func joinedRows(_ range: Range<Int>, _ table: ClassTable) throws(Realm.Error) -> [ObjectSnapshot] {
        let statement = try table.statement(
            """
            SELECT \(table.columnList(of: "e")) FROM \(self.table) l JOIN \(table.name) e \
            ON e.\(StorageNames.key) = l.\(StorageNames.value) \
            WHERE l.\(StorageNames.owner) = ?1 AND l.\(Label.column) BETWEEN ?2 AND ?3
            """
        )
        statement.bind(1, ownerKey)
        contents.labels[range.lowerBound].bind(to: statement, at: 2)
        contents.labels[range.upperBound - 1].bind(to: statement, at: 3)
        return try table.readRows(statement)
    }
}
