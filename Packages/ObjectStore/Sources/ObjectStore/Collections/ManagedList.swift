import ObjectQueries

/// The elements of a list in a realm.
///
/// Positions grow along the list but may have gaps, so that removing an element writes one row.
final class ManagedList<Element: RealmCollectionValue>: ManagedElements<Int64, Element> {
    /// Adds elements at the end without reading the others.
    func append(_ elements: some Sequence<Element>) {
        changing { writer throws(Realm.Error) in
            var cells: [Cell] = []
            for element in elements { cells.append(try cell(of: element, writer)) }
            guard !cells.isEmpty else { return }
            try change(writer) { () throws(Realm.Error) -> Following? in
                let last = try lastPosition()
                let positions = cells.indices.map { last + 1 + Int64($0) }
                try write(cells, at: positions)
                return { $0.replace($0.labels.count..<$0.labels.count, with: positions, cells) }
            }
        }
    }

    /// Replaces a range of elements.
    func replace(_ range: Range<Int>, with elements: some Collection<Element>) {
        changing { writer throws(Realm.Error) in
            var cells: [Cell] = []
            for element in elements { cells.append(try cell(of: element, writer)) }
            try replace(range, with: cells, writer)
        }
    }

    /// Puts elements into other places.
    ///
    /// - Parameter moves: Each a place, and the place whose element comes there.
    func rearrange(_ moves: [(to: Int, from: Int)]) {
        changing { writer throws(Realm.Error) in
            let contents = current()
            let moves = moves.filter { $0.to != $0.from }
            guard !moves.isEmpty else { return }
            try change(writer) { () throws(Realm.Error) -> Following? in
                for (to, from) in moves { try update(cell(contents, from), at: contents.labels[to]) }
                return { kept in
                    for (to, from) in moves {
                        kept.replace(to..<(to + 1), with: [contents.labels[to]], [self.cell(contents, from)])
                    }
                }
            }
        }
    }

    /// Moves an element with as many statements as it takes for its neighbour.
    func move(from: Int, to: Int) {
        guard from != to else { return changing { _ in } }
        changing { writer throws(Realm.Error) in
            let contents = current()
            let moved = cell(contents, from)
            let (old, new) = (contents.labels[from], contents.labels[to])
            try change(writer) { () throws(Realm.Error) -> Following? in
                try delete(at: old)
                if from < to {
                    try shift(old...new, by: -1)
                } else {
                    try shift(new...old, by: 1)
                }
                try insert(moved, at: new)
                return nil
            }
        }
    }

    // MARK: Values

    /// Fills the list of a new object.
    func insert(_ values: TakenValues, _ writer: ObjectWriter) throws(Realm.Error) {
        guard holdsObjects || isAny else {
            for (index, item) in values.items.enumerated() {
                try insert(try cell(item.value, writer), at: Int64(index))
            }
            return
        }
        let generation = core.table.generation
        let cells = try values.items.map { item throws(Realm.Error) in try cell(item.value, writer) }
        // An element may have been the very object again, with a list of its own.
        guard core.table.generation == generation else { return try replace(0..<count, with: cells, writer) }
        for (index, cell) in cells.enumerated() { try insert(cell, at: Int64(index)) }
    }

    /// Replaces the contents by values that are converted; under `.modified` element by element.
    ///
    /// What is written for the elements may reach this very list, so that its rows are changed after all of that.
    func assign(_ values: TakenValues, _ writer: ObjectWriter) throws(Realm.Error) {
        var cells: [Cell] = []
        for (index, item) in values.items.enumerated() { cells.append(try patched(index, with: item.value, writer)) }
        var common = 0
        if writer.policy == .modified {
            while common < cells.count {
                let contents = current()
                guard common < contents.labels.count else { break }
                if !isSame(cells[common], contents, common) {
                    try replace(common..<(common + 1), with: [cells[common]], writer)
                }
                common += 1
            }
        }
        try replace(common..<count, with: Array(cells[common...]), writer)
    }

    /// What the row at a place is to hold: under `.modified` the object that it has, updated where it may be.
    private func patched(_ index: Int, with value: Any, _ writer: ObjectWriter) throws(Realm.Error) -> Cell {
        guard writer.policy == .modified, holdsObjects else { return try cell(value, writer) }
        let contents = current()
        if index < contents.rows.count, let row = contents.rows[index], try update(row, from: value, writer) {
            let rows = current().rows
            if index < rows.count, rows[index]?.key == row.key { return .key(row.key) }
        }
        return try cell(value, writer)
    }
}

// MARK: - Rows

extension ManagedList {
    /// How the known elements follow a change of the rows.
    private typealias Following = (inout Contents) -> Void

    /// Makes a change, notes it in the realm, and lets the known elements follow.
    private func change(
        _ writer: ObjectWriter,
        _ body: () throws(Realm.Error) -> Following?
    ) throws(Realm.Error) {
        let generation = core.table.generation
        let follow = try body()
        writer.realm.transaction.didModify(core, slot)
        if let follow { keep(since: generation, follow) }
    }

    private func replace(_ range: Range<Int>, with cells: [Cell], _ writer: ObjectWriter) throws(Realm.Error) {
        guard !range.isEmpty || !cells.isEmpty else { return }
        let contents = current()
        let removed = range.compactMap { cell(contents, $0).key }
        try change(writer) { () throws(Realm.Error) -> Following? in
            let common = min(range.count, cells.count)
            for offset in 0..<common {
                try update(cells[offset], at: contents.labels[range.lowerBound + offset])
            }
            var labels = Array(contents.labels[range].prefix(common))
            if range.count > common {
                try delete(contents.labels, from: range.lowerBound + common, upTo: range.upperBound)
            } else if cells.count > common {
                let added = Array(cells[common...])
                let (positions, shift) = try positions(added.count, before: range.upperBound, contents.labels)
                try write(added, at: positions)
                labels += positions
                if shift { return nil }
            }
            return { $0.replace(range, with: labels, cells) }
        }
        try deleteChildren(removed, writer.realm)
    }

    /// Finds positions for new elements, moving those behind only when there is no gap.
    private func positions(_ count: Int, before index: Int, _ labels: [Int64]) throws(Realm.Error) -> (
        positions: [Int64], areShifted: Bool
    ) {
        let previous = index == 0 ? (labels.first ?? 0) - Int64(count) - 1 : labels[index - 1]
        let positions = (0..<count).map { previous + 1 + Int64($0) }
        guard index < labels.count, labels[index] <= previous + Int64(count), let last = labels.last else {
            return (positions, false)
        }
        try shift(labels[index]...last, by: previous + Int64(count) + 1 - labels[index])
        return (positions, true)
    }

    /// Moves the rows of a range of positions.
    ///
    /// In two steps with negative positions between them: rows must never meet.
    private func shift(_ range: ClosedRange<Int64>, by distance: Int64) throws(Realm.Error) {
        let (owner, position) = (StorageNames.owner, StorageNames.position)
        let away = try core.table.statement(
            """
            UPDATE \(table) SET \(position) = \(Self.faraway) + \(position) + ?2 \
            WHERE \(owner) = ?1 AND \(position) BETWEEN ?3 AND ?4
            """
        )
        away.bind(1, ownerKey)
        away.bind(2, distance)
        away.bind(3, range.lowerBound)
        away.bind(4, range.upperBound)
        try away.run()
        let back = try core.table.statement(
            """
            UPDATE \(table) SET \(position) = \(position) - \(Self.faraway) \
            WHERE \(owner) = ?1 AND \(position) >= \(Self.faraway / 2)
            """
        )
        back.bind(1, ownerKey)
        try back.run()
    }

    /// Farther than any list grows in either direction.
    private static var faraway: Int64 { 1 << 60 }

    private func lastPosition() throws(Realm.Error) -> Int64 {
        let statement = try core.table.statement(
            "SELECT max(\(StorageNames.position)) FROM \(table) WHERE \(StorageNames.owner) = ?1"
        )
        statement.bind(1, ownerKey)
        defer { statement.reset() }
        return try statement.step() && !statement.isNull(0) ? statement.int(0) : -1
    }

    private func write(_ cells: [Cell], at positions: [Int64]) throws(Realm.Error) {
        for (cell, position) in zip(cells, positions) { try insert(cell, at: position) }
    }

    private func delete(_ labels: [Int64], from first: Int, upTo end: Int) throws(Realm.Error) {
        let statement = try core.table.statement(
            """
            DELETE FROM \(table) \
            WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.position) BETWEEN ?2 AND ?3
            """
        )
        statement.bind(1, ownerKey)
        statement.bind(2, labels[first])
        statement.bind(3, labels[end - 1])
        try statement.run()
    }
}
