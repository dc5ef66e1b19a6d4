import EventModel
import ObjectQueries

/// The elements of a list in a realm: rows of the property's own table.
///
/// Positions grow along the list but may have gaps, so that removing an element writes one row.
final class ManagedList<Element: RealmCollectionValue> {
    let core: ObjectCore
    let slot: Int
    private let property: PersistedProperty
    private let table: String
    private var contents = Contents()

    private struct Contents {
        /// The generation of the owner's table that the contents were read at.
        var generation: UInt64 = 0
        var positions: [Int64] = []
        var rows: [ObjectSnapshot] = []
        var values: [Element] = []
        /// The generation of the elements' table.
        var rowGeneration: UInt64 = 0
        /// Whole snapshots of the rows, once an observer wanted them.
        var captured: [Int64: ObjectSnapshot]?
    }

    init(_ core: ObjectCore, _ slot: Int) {
        self.core = core
        self.slot = slot
        property = core.table.schema.properties[slot]
        table = StorageNames.table(core.table.schema.name, core.table.schema.shape.properties[slot])
    }

    // MARK: Reading

    var count: Int { current().positions.count }

    func element(_ index: Int) -> Element {
        let contents = current()
        guard property.type.target != nil else { return contents.values[index] }
        let element = Element._element(row(contents, index), of: core, slot: slot)
        observe(index)
        return element
    }

    func makeIterator() -> AnyIterator<Element> {
        let contents = current()
        var index = 0
        let count = contents.positions.count
        return AnyIterator { [self] in
            guard index < count else { return nil }
            defer { index += 1 }
            guard property.type.target != nil else { return contents.values[index] }
            let row = row(contents, index)
            let element = Element._element(row, of: core, slot: slot)
            observe(row)
            return element
        }
    }

    /// The row of an element, read again if the elements' class changed meanwhile.
    private func row(_ contents: Contents, _ index: Int) -> ObjectSnapshot {
        let row = contents.rows[index]
        guard let target = property.type.target, let realm = core.realm else { return row }
        let table = realm.requireTable(target)
        guard table.generation != contents.rowGeneration else { return row }
        return realm.reading { () throws(Realm.Error) in try table.row(row.key) } ?? row
    }

    private func current() -> Contents {
        let realm = core.confinedRealm
        guard core.isValid else {
            misuse(
                """
                The list '\(core.table.schema.name).\(property.name)' was used after its object was deleted or its realm \
                was invalidated; check 'isInvalidated' first.
                """
            )
        }
        if contents.generation != core.table.generation {
            contents = realm.reading { () throws(Realm.Error) in try load(realm) }
        }
        return contents
    }

    private func load(_ realm: RealmCore) throws(Realm.Error) -> Contents {
        var loaded = Contents()
        loaded.generation = core.table.generation
        guard let target = property.type.target else {
            let statement = try core.table.statement(
                """
                SELECT \(StorageNames.position), \(StorageNames.value) FROM \(table) \
                WHERE \(StorageNames.owner) = ?1 ORDER BY \(StorageNames.position)
                """
            )
            statement.bind(1, core.key)
            while try statement.step() {
                loaded.positions.append(statement.int(0))
                loaded.values.append(Element._element(column: 1, of: statement.handle))
            }
            return loaded
        }
        let elements = try realm.table(target)
        let columns = elements.columnList(of: "e")
        let statement = try elements.statement(
            """
            SELECT \(columns), l.\(StorageNames.position) FROM \(table) l \
            JOIN \(StorageNames.table(elements.schema.name)) e ON e.\(StorageNames.key) = l.\(StorageNames.value) \
            WHERE l.\(StorageNames.owner) = ?1 ORDER BY l.\(StorageNames.position)
            """
        )
        let position = Int32(elements.schema.columns.count + 1)
        statement.bind(1, core.key)
        while try statement.step() {
            loaded.rows.append(elements.readRow(statement))
            loaded.positions.append(statement.int(position))
        }
        loaded.rowGeneration = elements.generation
        return loaded
    }

    // MARK: Observation

    private func observe(_ index: Int) {
        observe(contents.rows[index])
    }

    /// Tells that an element was reached; all elements are captured together, once for each time they are read.
    private func observe(_ row: ObjectSnapshot) {
        guard property.type.kind == .link, let realm = core.realm, let observer = realm.openObserver,
            let target = property.type.target
        else { return }
        let table = realm.requireTable(target)
        let rows = contents.rows
        let captured: [Int64: ObjectSnapshot]
        if let known = contents.captured {
            captured = known
        } else {
            captured = Dictionary(realm.whole(rows, table).map { ($0.key, $0) }) { first, _ in first }
            contents.captured = captured
        }
        guard let whole = captured[row.key] else { return }
        let isChanging = realm.transaction?.hasChanges ?? false
        realm.follow(core, slot, whole, table, observer) { [core, slot] in
            isChanging
                ? realm.targets(of: core, slot, table) { rows } : rows.compactMap { captured[$0.key] }
        }
    }

    // MARK: Changing

    /// Replaces a range of elements, inside a write.
    func replace(_ range: Range<Int>, with elements: [Element]) {
        let realm = core.confinedRealm
        guard mayMutate(realm) else { return }
        realm.mutating { () throws(Realm.Error) in
            try replace(range, with: elements.map { $0 as Any }, ObjectWriter(realm, policy: .error))
        }
    }

    /// Adds elements at the end without reading the others.
    func append(_ elements: [Element]) {
        let realm = core.confinedRealm
        guard mayMutate(realm) else { return }
        realm.mutating { () throws(Realm.Error) in
            let last = try core.table.statement(
                "SELECT max(\(StorageNames.position)) FROM \(table) WHERE \(StorageNames.owner) = ?1"
            )
            last.bind(1, core.key)
            guard try last.step() else { return }
            let position = last.isNull(0) ? -1 : last.int(0)
            last.reset()
            try append(elements.map { $0 as Any }, after: position, ObjectWriter(realm, policy: .error))
            realm.didModify(core, slot)
        }
    }

    func move(from: Int, to: Int) {
        let realm = core.confinedRealm
        guard mayMutate(realm) else { return }
        realm.mutating { () throws(Realm.Error) in
            var cells = try cells()
            cells.insert(cells.remove(at: from), at: to)
            let first = min(from, to)
            try delete(from: first)
            try write(Array(cells[first...]), from: first)
            realm.didModify(core, slot)
        }
    }

    private func mayMutate(_ realm: RealmCore) -> Bool {
        realm.mayMutate(named: { "change the list '\(core.table.schema.name).\(property.name)'" })
            && core.requireValid(realm)
    }

    /// Appends to a list that has no elements yet.
    func insert(_ elements: [Any], _ writer: ObjectWriter) throws(Realm.Error) {
        guard !elements.isEmpty else { return }
        try append(elements, after: -1, writer)
    }

    private func replace(_ range: Range<Int>, with elements: [Any], _ writer: ObjectWriter) throws(Realm.Error) {
        let contents = current()
        let tail = range.upperBound == contents.positions.count
        let removed = contents.rows.isEmpty ? [] : contents.rows[range].map(\.key)
        if tail {
            try delete(from: range.lowerBound)
            let last = range.lowerBound == 0 ? -1 : contents.positions[range.lowerBound - 1]
            try append(elements, after: last, writer)
        } else if elements.isEmpty || elements.count == range.count {
            for index in range { try delete(position: contents.positions[index]) }
            for (offset, element) in elements.enumerated() {
                try write([try cell(element, writer)], positions: [contents.positions[range.lowerBound + offset]])
            }
        } else {
            let kept = try cells()[range.upperBound...]
            try delete(from: range.lowerBound)
            let added = try elements.map { element throws(Realm.Error) in try cell(element, writer) }
            try write(added + kept, from: range.lowerBound)
        }
        if property.type.kind == .embedded {
            try deleteChildren(removed, writer.realm)
        }
        writer.realm.didModify(core, slot)
    }

    /// Replaces the contents by values that are converted; under `.modified` element by element.
    func assign(_ values: [Any], at place: String, _ writer: ObjectWriter) throws(Realm.Error) {
        guard writer.policy == .modified else {
            return try replace(0..<count, with: values, writer)
        }
        let contents = current()
        let common = Swift.min(values.count, contents.positions.count)
        for index in 0..<common {
            try patch(contents, index, with: values[index], writer)
        }
        if values.count != contents.positions.count {
            try replace(common..<contents.positions.count, with: Array(values[common...]), writer)
        }
    }

    private func patch(
        _ contents: Contents,
        _ index: Int,
        with value: Any,
        _ writer: ObjectWriter
    ) throws(Realm.Error) {
        if let target = property.type.target {
            let table = try writer.realm.table(target)
            let row = contents.rows[index]
            if table.schema.primaryKeySlot == nil, let inner = unwrapped(value),
                inner is [String: Any] || inner is [Any] || (table.schema.isEmbedded && inner is ObjectBase)
            {
                let child = ObjectCore(
                    realm: writer.realm,
                    table: table,
                    row: row,
                    generation: table.generation,
                    parent: table.schema.isEmbedded ? core : nil
                )
                return try writer.update(child, from: inner)
            }
            let key = try writer.key(of: value, core.table.schema, property, parent: core)
            guard key != row.key else { return }
            guard let key else {
                throw .mismatch(value, Element._elementType, at: "\(core.table.schema.name).\(property.name)")
            }
            try delete(position: contents.positions[index])
            try write([.key(key)], positions: [contents.positions[index]])
        } else {
            let cell = try cell(value, writer)
            if case .value(let element) = cell, element == contents.values[index] { return }
            try delete(position: contents.positions[index])
            try write([cell], positions: [contents.positions[index]])
        }
        writer.realm.didModify(core, slot)
    }

    // MARK: Rows

    private enum Cell {
        case key(Int64)
        case value(Element)
    }

    private func cells() throws(Realm.Error) -> [Cell] {
        let contents = current()
        return property.type.target == nil ? contents.values.map(Cell.value) : contents.rows.map { .key($0.key) }
    }

    private func cell(_ element: Any, _ writer: ObjectWriter) throws(Realm.Error) -> Cell {
        let place = "\(core.table.schema.name).\(property.name)"
        if property.type.target != nil {
            guard let key = try writer.key(of: element, core.table.schema, property, parent: core) else {
                throw .mismatch(element, Element._elementType, at: place)
            }
            return .key(key)
        }
        guard let value = Element._convertedElement(element) else {
            throw .mismatch(element, Element._elementType, at: place)
        }
        return .value(value)
    }

    private func append(_ elements: [Any], after last: Int64, _ writer: ObjectWriter) throws(Realm.Error) {
        guard !elements.isEmpty else { return }
        let cells = try elements.map { element throws(Realm.Error) in try cell(element, writer) }
        try write(cells, positions: cells.indices.map { last + 1 + Int64($0) })
    }

    private func write(_ cells: [Cell], from index: Int) throws(Realm.Error) {
        let positions = contents.positions
        let first = index == 0 ? 0 : positions[index - 1] + 1
        try write(cells, positions: cells.indices.map { first + Int64($0) })
    }

    private func write(_ cells: [Cell], positions: [Int64]) throws(Realm.Error) {
        let statement = try core.table.statement("INSERT INTO \(table) VALUES (?1, ?2, ?3)")
        for (cell, position) in zip(cells, positions) {
            statement.bind(1, core.key)
            statement.bind(2, position)
            switch cell {
            case .key(let key): statement.bind(3, key)
            case .value(let value): value._bindElement(to: statement.handle, at: 3)
            }
            try statement.run()
        }
    }

    private func delete(from index: Int) throws(Realm.Error) {
        guard index < contents.positions.count else { return }
        let statement = try core.table.statement(
            "DELETE FROM \(table) WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.position) >= ?2"
        )
        statement.bind(1, core.key)
        statement.bind(2, contents.positions[index])
        try statement.run()
    }

    private func delete(position: Int64) throws(Realm.Error) {
        let statement = try core.table.statement(
            "DELETE FROM \(table) WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.position) = ?2"
        )
        statement.bind(1, core.key)
        statement.bind(2, position)
        try statement.run()
    }

    private func deleteChildren(_ keys: [Int64], _ realm: RealmCore) throws(Realm.Error) {
        guard let target = property.type.target else { return }
        for key in keys { try ObjectDeletion(realm).deleteEmbedded(try realm.table(target), key) }
    }
}
