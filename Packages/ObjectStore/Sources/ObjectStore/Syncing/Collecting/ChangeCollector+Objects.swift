import ChangeModel
import EventModel
import ObjectQueries

// The single values of objects, which go from the columns of a row to the bytes of a change, with no value made in between.
extension ChangeCollector {
    /// What is used for one row after the other of a class.
    private struct RowEncoding {
        let table: ClassTable
        let columns: SentColumns
        var names = SentNames()
        var given = ChangeEncoder.Cells()
        var defaults = ChangeEncoder.Cells()

        init(_ table: ClassTable, _ columns: SentColumns) {
            self.table = table
            self.columns = columns
        }

        /// The value of a property, whatever its declared type is.
        func cell(_ column: SentColumns.Column, of row: Statement) -> AnyCell {
            AnyCell(row, column.index, shape(of: column))
        }

        func shape(of column: SentColumns.Column) -> PropertyShape { table.schema.shape.properties[column.slot] }

        /// Where a property of an object lies.
        func place(_ index: Int, _ key: PrimaryKey) -> SyncedObjects.Place {
            SyncedObjects.Place(
                object: ObjectAddress(columns.className, key),
                path: CellPath(columns.names[index])
            )
        }
    }

    // MARK: New objects

    mutating func addCreations(_ table: ClassTable) throws(Realm.Error) {
        guard !table.newRows.isEmpty, table.schema.primaryKeySlot != nil else { return }
        let (defaults, increments) = (table.touchedObjects.defaults, table.touchedObjects.increments)
        var encoding = RowEncoding(table, table.allSentColumns())
        let statement = try encoding.columns.rows(of: table)
        let runs = table.newRows.runs.runs
        // How many rows come behind the first one.
        var left = runs.reduce(-1) { $0 + $1.count }
        for run in runs {
            statement.bind(1, run.lowerBound)
            statement.bind(2, run.upperBound)
            defer { statement.reset() }
            while try statement.step() {
                let byDefault = defaults.isEmpty ? nil : defaults[statement.int(0)]
                let added = increments.isEmpty ? nil : increments[statement.int(0)]
                let before = encoders[encoders.count - 1].byteCount
                try addCreation(statement, &encoding, byDefault, added)
                guard left > 0 else { continue }
                // Others are mostly as large: the change does not move as it grows.
                reserve(left * (encoders[encoders.count - 1].byteCount - before))
                left = 0
            }
        }
    }

    private mutating func addCreation(
        _ row: Statement,
        _ encoding: inout RowEncoding,
        _ byDefault: ExactSlots?,
        _ added: [Int: Int64]?
    ) throws(Realm.Error) {
        guard let key = encoding.columns.primaryKey(row) else { return }
        try encode(row, &encoding, byDefault, added)
        if makeRoom(for: encoding.given.byteCount + encoding.defaults.byteCount) {
            try encode(row, &encoding, byDefault, added)
        }
        encoders[encoders.count - 1]
            .appendCreation(encoding.names.className, key: key, given: encoding.given, defaults: encoding.defaults)
        guard let added else { return }
        for (index, column) in encoding.columns.all.enumerated() {
            guard let sum = added[column.slot], sum != 0 else { continue }
            let place = encoding.place(index, key)
            add(place, .add(place.path, sum))
        }
    }

    private mutating func encode(
        _ row: Statement,
        _ encoding: inout RowEncoding,
        _ byDefault: ExactSlots?,
        _ added: [Int: Int64]?
    ) throws(Realm.Error) {
        encoding.names.use(encoding.columns, in: &encoders)
        encoding.given.removeAll()
        encoding.defaults.removeAll()
        let columns = encoding.columns.all
        for index in columns.indices {
            let column = columns[index]
            let name = encoding.names.property(index)
            let isDefault = byDefault?.contains(column.slot) ?? false
            if let value = PlainValue(column.index, of: row, column.kind)?.without(added?[column.slot]) {
                if isDefault { encoding.defaults.append(name, value) } else { encoding.given.append(name, value) }
                continue
            }
            let cell = encoding.cell(column, of: row)
            guard !encoding.table.isInside(column.slot, cell),
                let value = try objects.value(cell, encoding.shape(of: column))
            else { continue }
            if isDefault {
                encoders[encoders.count - 1].append(name, value, to: &encoding.defaults)
            } else {
                encoders[encoders.count - 1].append(name, value, to: &encoding.given)
            }
        }
    }

    // MARK: Written objects

    /// Adds the properties that were written of objects that are not embedded, without a path for each.
    mutating func addWrittenObjects(
        _ table: ClassTable,
        _ written: WrittenSlots,
        _ increments: [Int64: [Int: Int64]]
    ) throws(Realm.Error) {
        guard table.schema.primaryKeySlot != nil, !written.isEmpty else { return }
        var encoding = RowEncoding(table, table.sentColumns(of: written.all))
        let rows = written.rows
        guard let first = rows.first?.key, let last = rows.last?.key else { return }
        if rows.count > 1, Double(last) - Double(first) < Double(rows.count) * Self.gap {
            let statement = try encoding.columns.rows(of: table)
            statement.bind(1, first)
            statement.bind(2, last)
            defer { statement.reset() }
            var index = 0
            while try statement.step() {
                let key = statement.int(0)
                while index < rows.count, rows[index].key < key { index += 1 }
                if index < rows.count, rows[index].key == key {
                    try addAssignments(statement, rows[index], &encoding, increments.isEmpty ? nil : increments[key])
                }
            }
        } else {
            let statement = try encoding.columns.row(of: table)
            for row in rows {
                statement.bind(1, row.key)
                defer { statement.reset() }
                if try statement.step() {
                    try addAssignments(statement, row, &encoding, increments.isEmpty ? nil : increments[row.key])
                }
            }
        }
    }

    /// Where there are fewer keys between two rows than this, on the average, one pass over all costs less than to look up each.
    private static let gap = 4.0

    private mutating func addAssignments(
        _ row: Statement,
        _ written: WrittenSlots.Row,
        _ encoding: inout RowEncoding,
        _ increments: [Int: Int64]?
    ) throws(Realm.Error) {
        let table = encoding.table
        guard !table.isNew(written.key), let key = encoding.columns.primaryKey(row) else { return }
        for index in encoding.columns.all.indices where written.slots.contains(encoding.columns.all[index].slot) {
            let column = encoding.columns.all[index]
            if let sum = increments?[column.slot] {
                let place = encoding.place(index, key)
                if sum != 0 { add(place, .add(place.path, sum)) }
                continue
            }
            if let value = PlainValue(column.index, of: row, column.kind) {
                makeRoom(for: value.largeBytes)
                encoding.names.use(encoding.columns, in: &encoders)
                encoders[encoders.count - 1]
                    .appendAssignment(encoding.names.className, key: key, encoding.names.property(index), value)
                continue
            }
            let cell = encoding.cell(column, of: row)
            if table.isInside(column.slot, cell) {
                try addValue(cell, of: table, written.key, column.slot, at: encoding.place(index, key))
                continue
            }
            // A link whose target went in the same transaction is null by now.
            let value = try objects.value(cell, encoding.shape(of: column)) ?? .null
            makeRoom(for: value.largeBytes)
            encoding.names.use(encoding.columns, in: &encoders)
            encoders[encoders.count - 1]
                .appendAssignment(encoding.names.className, key: key, encoding.names.property(index), value)
        }
    }
}

extension PlainValue {
    /// What was there before a number was added; the value itself where none was.
    fileprivate func without(_ added: Int64?) -> PlainValue {
        guard let added, case .int(let sum) = self else { return self }
        return .int(sum &- added)
    }
}

/// The numbers that the names of a class have in the change that is being written.
private struct SentNames {
    private var change = -1
    /// The number of the class, and behind it those of the properties.
    private var all: [ChangeEncoder.Name] = []

    var className: ChangeEncoder.Name { all[0] }

    func property(_ index: Int) -> ChangeEncoder.Name { all[index + 1] }

    /// Gives the names numbers in the last of some changes.
    @inline(__always)
    mutating func use(_ columns: SentColumns, in encoders: inout [ChangeEncoder]) {
        guard change != encoders.count else { return }
        change = encoders.count
        all = encoders[change - 1].numbers(of: columns.allNames)
    }
}

extension ClassTable {
    /// The columns of all properties.
    fileprivate func allSentColumns() -> SentColumns {
        if let known = everySentColumn { return known }
        let made = SentColumns(self) { _ in true }
        everySentColumn = made
        return made
    }

    /// The columns of the properties that a transaction wrote.
    fileprivate func sentColumns(of slots: ExactSlots) -> SentColumns {
        if let latestSentColumns, latestSentColumns.slots == slots { return latestSentColumns.columns }
        let made = SentColumns(self, where: slots.contains)
        latestSentColumns = (slots, made)
        return made
    }
}
