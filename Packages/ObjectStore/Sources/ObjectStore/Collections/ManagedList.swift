import ObjectQueries

/// The elements of a list in a realm, in the order of their ``OrderKeys``.
final class ManagedList<Element: RealmCollectionValue>: ManagedElements<Int64, Element> {
    /// The order key of the last element, as this list wrote it, and the generation of the owner's table then.
    private var end: (generation: UInt64, key: Int64)?

    /// Adds elements at the end without reading the others.
    func append(_ elements: some Sequence<Element>) {
        changing { writer throws(Realm.Error) in
            var cells: [Cell] = []
            for element in elements { cells.append(try cell(of: element, writer)) }
            guard !cells.isEmpty else { return }
            let keys = OrderKeys.after(try lastKey(), count: cells.count)
            try change(writer) { () throws(Realm.Error) in
                try write(cells, at: keys)
                return { $0.replace($0.labels.count..<$0.labels.count, with: keys, cells) }
            }
            end = (core.table.generation, keys[keys.count - 1])
        }
    }

    /// Adds an element at the end without reading the others.
    func append(_ element: Element) {
        changing { writer throws(Realm.Error) in
            let cell = try cell(of: element, writer)
            let key = try lastKey().map(OrderKeys.after) ?? 0
            let wasCurrent = isCurrent
            try insert(cell, at: key)
            writer.realm.transaction.didModify(core, slot)
            keep(wasCurrent) { $0.insert(cell, key, at: $0.labels.count) }
            end = (core.table.generation, key)
        }
    }

    /// Inserts an element.
    func insert(_ element: Element, at index: Int) {
        changing { writer throws(Realm.Error) in
            let cell = try cell(of: element, writer)
            validate()
            loadIfNeeded()
            let key = try freeKey(before: index)
            let wasCurrent = isCurrent
            try insert(cell, at: key)
            writer.realm.transaction.didModify(core, slot)
            keep(wasCurrent) { $0.insert(cell, key, at: index) }
        }
    }

    /// Removes an element.
    func remove(at index: Int) {
        changing { writer throws(Realm.Error) in
            validate()
            loadIfNeeded()
            let removed = holdsObjects || isAny ? cell(contents, index).key : nil
            let wasCurrent = isCurrent
            try delete(at: contents.labels[index])
            writer.realm.transaction.didModify(core, slot)
            keep(wasCurrent) { $0.remove(at: index) }
            if let removed { try deleteChildren([removed], writer.realm) }
        }
    }

    /// Replaces a range of elements.
    ///
    /// - Parameters:
    ///   - range: Their places.
    ///   - elements: What comes there.
    ///   - isWhole: Whether this gives the list other contents.
    func replace(_ range: Range<Int>, with elements: some Collection<Element>, isWhole: Bool = false) {
        changing { writer throws(Realm.Error) in
            var cells: [Cell] = []
            for element in elements { cells.append(try cell(of: element, writer)) }
            try replace(range, with: cells, isWhole: isWhole, writer)
        }
    }

    /// Puts elements into other places.
    ///
    /// - Parameter moves: Each a place, and the place whose element comes there.
    func rearrange(_ moves: [(to: Int, from: Int)]) {
        changing { writer throws(Realm.Error) in
            loadIfNeeded()
            let moves = moves.filter { $0.to != $0.from }
            let moved = moves.map { (index: $0.to, key: contents.labels[$0.to], cell: cell(contents, $0.from)) }
            guard !moved.isEmpty else { return }
            var names: [Int64] = []
            if isNamed { for move in moves { names.append(try name(at: contents.labels[move.from])) } }
            try change(writer) { () throws(Realm.Error) in
                if isNamed {
                    for (index, move) in moved.enumerated() {
                        let former = contents.labels[moves[index].from]
                        try put(move.cell, named: names[index], from: former, at: move.key)
                    }
                } else {
                    for (_, key, cell) in moved { try update(cell, at: key) }
                }
                return { kept in
                    for (index, key, cell) in moved { kept.replace(index..<(index + 1), with: [key], [cell]) }
                }
            }
        }
    }

    /// Moves an element, which keeps its row: that gets another order key.
    func move(from: Int, to: Int) {
        guard from != to else { return changing { _ in } }
        changing { writer throws(Realm.Error) in
            loadIfNeeded()
            let moved = cell(contents, from)
            // Where it comes among the elements as they are.
            let index = from < to ? to + 1 : to
            try change(writer) { () throws(Realm.Error) in
                let key = try freeKeys(1, before: index)[0]
                if let touched = core.table.touchedCells { try willMove(at: contents.labels[from], touched) }
                // It may have got another one itself when room was made.
                try reposition(contents.labels[from], to: key)
                return {
                    $0.replace(from..<(from + 1), with: [], [])
                    $0.replace(to..<to, with: [key], [moved])
                }
            }
        }
    }

    // MARK: Values

    /// Fills the list of a new object.
    func insert(_ values: TakenValues, _ writer: ObjectWriter) throws(Realm.Error) {
        guard holdsObjects || isAny else {
            for (item, key) in zip(values.items, OrderKeys.after(nil, count: values.items.count)) {
                try insert(try cell(item.value, writer), at: key)
            }
            return
        }
        let generation = core.table.generation
        let cells = try values.items.map { item throws(Realm.Error) in try cell(item.value, writer) }
        // An element may have been the very object again, with a list of its own.
        guard core.table.generation == generation else {
            return try replace(0..<count, with: cells, isWhole: true, writer)
        }
        try write(cells, at: OrderKeys.after(nil, count: cells.count))
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
        try replace(common..<count, with: Array(cells[common...]), isWhole: writer.policy != .modified, writer)
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
        _ body: () throws(Realm.Error) -> Following
    ) throws(Realm.Error) {
        let wasCurrent = isCurrent
        let follow = try body()
        writer.realm.transaction.didModify(core, slot)
        keep(wasCurrent, follow)
    }

    /// Replaces a range of elements; where this gives the list other contents, no element is one of before for who keeps changes.
    private func replace(
        _ range: Range<Int>,
        with cells: [Cell],
        isWhole: Bool = false,
        _ writer: ObjectWriter
    ) throws(Realm.Error) {
        guard !range.isEmpty || !cells.isEmpty else { return }
        validate()
        loadIfNeeded()
        let removed = range.compactMap { cell(contents, $0).key }
        try change(writer) { () throws(Realm.Error) -> Following in
            let touched = isWhole ? core.table.touchedCells : nil
            let common = touched == nil ? min(range.count, cells.count) : 0
            if let touched { try willDeleteAll(touched) }
            for offset in 0..<common {
                try update(cells[offset], at: contents.labels[range.lowerBound + offset])
            }
            if range.count > common {
                try delete(contents.labels[range.lowerBound + common], through: contents.labels[range.upperBound - 1])
            }
            let added = common < cells.count ? try freeKeys(cells.count - common, before: range.upperBound) : []
            try write(cells[common...], at: added)
            let keys = contents.labels[range].prefix(common) + added
            return { $0.replace(range, with: Array(keys), cells) }
        }
        try deleteChildren(removed, writer.realm)
    }

    // MARK: Order keys

    /// Finds an order key for a new element; where there is none the elements around it get others.
    private func freeKey(before index: Int) throws(Realm.Error) -> Int64 {
        let keys = contents.labels
        guard index > 0, index < keys.count else {
            if index > 0 { return OrderKeys.after(keys[index - 1]) }
            return keys.first.map(OrderKeys.before) ?? 0
        }
        if let key = OrderKeys.between(keys[index - 1], keys[index]) { return key }
        return try freeKeys(1, before: index)[0]
    }

    /// Finds order keys for new elements; where there are none the elements around them get others.
    private func freeKeys(_ count: Int, before index: Int) throws(Realm.Error) -> [Int64] {
        guard let first = contents.labels.first else { return OrderKeys.after(nil, count: count) }
        guard index > 0 else { return OrderKeys.before(first, count: count) }
        guard index < contents.labels.count else { return OrderKeys.after(contents.labels[index - 1], count: count) }
        if let keys = OrderKeys.between(contents.labels[index - 1], contents.labels[index], count: count) {
            return keys
        }
        let respacing = OrderKeys.respacing(for: count, before: index, in: contents.labels)
        try reposition(respacing.range, to: respacing.keys)
        relabel(respacing.range, respacing.keys)
        return respacing.added
    }

    /// Gives the rows of a range other order keys.
    ///
    /// Those that move up are written from above, those that move down from below: no two rows ever have one key.
    private func reposition(_ range: Range<Int>, to keys: [Int64]) throws(Realm.Error) {
        if let touched = core.table.touchedCells { try willReposition(range, to: keys, touched) }
        let changes = Array(zip(contents.labels[range], keys))
        for (old, new) in changes.reversed() where new > old { try reposition(old, to: new) }
        for (old, new) in changes where new < old { try reposition(old, to: new) }
    }

    private func reposition(_ old: Int64, to new: Int64) throws(Realm.Error) {
        let statement = try prepared(
            .reposition,
            """
            UPDATE \(table) SET \(StorageNames.position) = ?3 \
            WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.position) = ?2
            """
        )
        statement.bind(1, ownerKey)
        statement.bind(2, old)
        statement.bind(3, new)
        try statement.run()
    }

    /// The order key of the last element; nil when there is none.
    private func lastKey() throws(Realm.Error) -> Int64? {
        if isCurrent { return contents.labels.last }
        if let end, core.table.hasSameCollections(core.key, since: end.generation) { return end.key }
        let statement = try prepared(
            .last,
            "SELECT max(\(StorageNames.position)) FROM \(table) WHERE \(StorageNames.owner) = ?1"
        )
        statement.bind(1, ownerKey)
        defer { statement.reset() }
        return try statement.step() && !statement.isNull(0) ? statement.int(0) : nil
    }

    // MARK: Rows

    private func write(_ cells: some Collection<Cell>, at keys: [Int64]) throws(Realm.Error) {
        for (cell, key) in zip(cells, keys) { try insert(cell, at: key) }
    }

    private func delete(_ first: Int64, through last: Int64) throws(Realm.Error) {
        guard first < last else { return try delete(at: first) }
        if let touched = core.table.touchedCells { try willDelete(first, through: last, touched) }
        let statement = try prepared(
            .deleteRange,
            """
            DELETE FROM \(table) \
            WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.position) BETWEEN ?2 AND ?3
            """
        )
        statement.bind(1, ownerKey)
        statement.bind(2, first)
        statement.bind(3, last)
        try statement.run()
    }
}
