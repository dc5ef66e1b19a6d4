import ChangeModel
import EventModel
import ObjectQueries

// The single values of objects, which go from the columns of a row to the bytes of a change, with no value made in between.
extension ChangeCollector {
    /// What is used for one row after the other of a class.
    private struct RowEncoding {
        let columns: SentColumns
        var names: SentNames
        var given = ChangeEncoder.Cells()
        var defaults = ChangeEncoder.Cells()

        init(_ table: ClassTable, where isWanted: (Int) -> Bool = { _ in true }) {
            columns = SentColumns(table, where: isWanted)
            names = SentNames(of: columns)
        }
    }

    // MARK: New objects

    mutating func addCreations(_ table: ClassTable) throws(Realm.Error) {
        guard !table.newRows.isEmpty, table.schema.primaryKeySlot != nil else { return }
        let rows = touched.rows[ObjectIdentifier(table)]
        let (defaults, increments) = (rows?.defaults ?? [:], rows?.increments ?? [:])
        var encoding = RowEncoding(table)
        for run in table.newRows.runs.runs {
            let statement = try encoding.columns.rows("BETWEEN ?1 AND ?2")
            statement.bind(1, run.lowerBound)
            statement.bind(2, run.upperBound)
            defer { statement.reset() }
            while try statement.step() {
                let byDefault = defaults.isEmpty ? nil : defaults[statement.int(0)]
                let added = increments.isEmpty ? nil : increments[statement.int(0)]
                try addCreation(statement, &encoding, byDefault, added)
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
        for column in encoding.columns.all {
            guard let sum = added[column.slot], sum != 0 else { continue }
            let place = encoding.columns.place(column, key)
            add(place, .add(place.path, sum))
        }
    }

    private mutating func encode(
        _ row: Statement,
        _ encoding: inout RowEncoding,
        _ byDefault: ExactSlots?,
        _ added: [Int: Int64]?
    ) throws(Realm.Error) {
        encoding.names.use(in: &encoders)
        encoding.given.removeAll()
        encoding.defaults.removeAll()
        for index in encoding.columns.all.indices {
            let column = encoding.columns.all[index]
            let name = encoding.names.properties[index]
            let isDefault = byDefault?.contains(column.slot) ?? false
            if let value = PlainValue(column.index, of: row, column.kind)?.without(added?[column.slot]) {
                if isDefault { encoding.defaults.append(name, value) } else { encoding.given.append(name, value) }
                continue
            }
            let cell = encoding.columns.cell(column, of: row)
            guard !encoding.columns.table.isInside(column.slot, cell),
                let value = try objects.value(cell, encoding.columns.shape(of: column))
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
    mutating func addWrittenObjects(_ table: ClassTable, _ written: WrittenSlots) throws(Realm.Error) {
        guard table.schema.primaryKeySlot != nil, !written.isEmpty else { return }
        let all = written.all
        var encoding = RowEncoding(table, where: all.contains)
        let rows = written.rows
        guard let first = rows.first?.key, let last = rows.last?.key else { return }
        if Double(last) - Double(first) < Double(rows.count) * Self.gap {
            let statement = try encoding.columns.rows("BETWEEN ?1 AND ?2 ORDER BY \(StorageNames.key)")
            statement.bind(1, first)
            statement.bind(2, last)
            defer { statement.reset() }
            var index = 0
            while try statement.step() {
                let key = statement.int(0)
                while index < rows.count, rows[index].key < key { index += 1 }
                if index < rows.count, rows[index].key == key {
                    try addAssignments(statement, rows[index], &encoding)
                }
            }
        } else {
            let statement = try encoding.columns.rows("= ?1")
            for row in rows {
                statement.bind(1, row.key)
                defer { statement.reset() }
                if try statement.step() { try addAssignments(statement, row, &encoding) }
            }
        }
    }

    /// Where there are fewer keys between two rows than this, on the average, one pass over all costs less than to look up each.
    private static let gap = 4.0

    private mutating func addAssignments(
        _ row: Statement,
        _ written: WrittenSlots.Row,
        _ encoding: inout RowEncoding
    ) throws(Realm.Error) {
        let table = encoding.columns.table
        guard !table.isNew(written.key), let key = encoding.columns.primaryKey(row) else { return }
        let increments = increments(of: table, written.key)
        for index in encoding.columns.all.indices where written.slots.contains(encoding.columns.all[index].slot) {
            let column = encoding.columns.all[index]
            if let sum = increments?[column.slot] {
                let place = encoding.columns.place(column, key)
                if sum != 0 { add(place, .add(place.path, sum)) }
                continue
            }
            if let value = PlainValue(column.index, of: row, column.kind) {
                makeRoom(for: value.largeBytes)
                encoding.names.use(in: &encoders)
                encoders[encoders.count - 1]
                    .appendAssignment(encoding.names.className, key: key, encoding.names.properties[index], value)
                continue
            }
            let cell = encoding.columns.cell(column, of: row)
            if table.isInside(column.slot, cell) {
                try addValue(cell, of: table, written.key, column.slot, at: encoding.columns.place(column, key))
                continue
            }
            // A link whose target went in the same transaction is null by now.
            let value = try objects.value(cell, encoding.columns.shape(of: column)) ?? .null
            makeRoom(for: value.largeBytes)
            encoding.names.use(in: &encoders)
            encoders[encoders.count - 1]
                .appendAssignment(encoding.names.className, key: key, encoding.names.properties[index], value)
        }
    }

    /// By how much the properties of a row were incremented that were not assigned; nil for a row without any.
    private func increments(of table: ClassTable, _ row: Int64) -> [Int: Int64]? {
        guard let all = touched.rows[ObjectIdentifier(table)]?.increments, !all.isEmpty else { return nil }
        return all[row]
    }
}

extension PlainValue {
    /// What was there before a number was added; the value itself where none was.
    fileprivate func without(_ added: Int64?) -> PlainValue {
        guard let added, case .other(.int(let sum)) = self else { return self }
        return .other(.int(sum &- added))
    }
}

/// The numbers that the names of a class have in the change that is being written.
private struct SentNames {
    private let texts: (className: ExactText, properties: [ExactText])
    private var change = -1
    private(set) var className: ChangeEncoder.Name
    private(set) var properties: [ChangeEncoder.Name]

    init(of columns: SentColumns) {
        texts = (ExactText(columns.table.schema.name), columns.all.map(columns.name))
        var none = ChangeEncoder()
        className = none.number(of: texts.className)
        properties = []
    }

    /// Gives the names numbers in the last of some changes.
    mutating func use(in encoders: inout [ChangeEncoder]) {
        guard change != encoders.count else { return }
        change = encoders.count
        className = encoders[change - 1].number(of: texts.className)
        properties = texts.properties.map { encoders[change - 1].number(of: $0) }
    }
}
