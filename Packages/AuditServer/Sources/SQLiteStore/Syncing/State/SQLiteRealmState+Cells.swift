package import ChangeModel

extension SQLiteRealmState {
    /// Returns a cell.
    package func cell(at address: CellAddress) -> Cell? {
        keeping(or: nil) {
            guard let key = try key(of: address, making: false) else { return nil }
            // Before the cells are looked at, as this may add one.
            let index = try slot(key)
            return cells[index].cell
        }
    }

    /// Keeps a cell, or forgets it.
    package func setCell(_ cell: Cell?, at address: CellAddress) {
        keeping(or: ()) {
            guard let key = try key(of: address, making: true) else { throw OrderedReader.damage }
            let index = try slot(key)
            cells.set(cell, at: index)
        }
    }

    /// Returns the paths of all cells below an address, in order.
    ///
    /// - Complexity: O(*n*) in these cells.
    package func cellPaths(below address: CellAddress) -> [CellPath] {
        keeping(or: []) {
            guard let object = try row(of: address.object)?.number else { return [] }
            return try load(below: address.path, of: object).map { try OrderedReader.path($0.path) }
        }
    }

    /// Forgets everything strictly below an address.
    ///
    /// - Complexity: O(*n*) in what is forgotten.
    package func removeContents(below address: CellAddress) {
        keeping(or: ()) {
            guard let object = try row(of: address.object)?.number else { return }
            for key in try load(below: address.path, of: object) {
                let index = try slot(key)
                cells.set(nil, at: index)
            }
            let (first, end) = OrderedBytes.below(OrderedBytes.of(address.path))
            for statement in [RealmStatement.removeClearings, .removeElements, .removePlaces] {
                try statements.run(statement) { statement in
                    try statement.bind(object, first)
                    try statement.bind(end, at: 3)
                }
            }
        }
    }

    /// Returns the addresses of all cells that link to an object, in order.
    package func referrers(of object: ObjectAddress) -> [CellAddress] {
        keeping(or: []) {
            guard let target = try row(of: object)?.number else { return [] }
            try flushCells()
            var links: [(owner: Int64, path: [UInt8])] = []
            try statements.all(.links) {
                try $0.bind(target, at: 1)
            } _: { statement in
                links.append((try statement.number(0), try statement.blob(1)))
            }
            return try links.map { CellAddress(try address(of: $0.owner), try OrderedReader.path($0.path)) }.sorted()
        }
    }
}

// MARK: - Rows

extension SQLiteRealmState {
    /// Returns what a cell is addressed by.
    ///
    /// - Returns: The key; nil for a cell of an object that nobody ever named, unless it is to be made.
    private func key(of address: CellAddress, making: Bool) throws -> CellKey? {
        if address == lastAddress { return lastKey }
        guard let object = making ? try number(of: address.object) : try row(of: address.object)?.number else {
            return nil
        }
        lastKey = CellKey(object: object, path: OrderedBytes.of(address.path))
        lastAddress = address
        return lastKey
    }

    /// Returns where a cell is remembered, which is read if it is not yet.
    func slot(_ key: CellKey) throws -> Int {
        if let index = cells.index(of: key) { return index }
        let read = try statements.first(.cell) {
            try $0.bind(key.object, key.path)
        } _: { statement in
            try Self.slot(key, try statement.blob(0))
        }
        return cells.add(read ?? RememberedCell(key: key))
    }

    private static func slot(_ key: CellKey, _ packed: [UInt8]) throws -> RememberedCell {
        let cell = try RealmPacking.cell(packed)
        let bytes = key.path.count + packed.count
        return RememberedCell(key: key, cell: cell, storedBytes: bytes, storedTarget: cell.value?.target)
    }

    /// Writes what is remembered, reads all cells below a path, and returns them in order.
    func load(below path: CellPath, of object: Int64) throws -> [CellKey] {
        try flushCells()
        let (first, end) = OrderedBytes.below(OrderedBytes.of(path))
        var keys: [CellKey] = []
        try statements.all(.cellsBelow) { statement in
            try statement.bind(object, first)
            try statement.bind(end, at: 3)
        } _: { statement in
            let key = CellKey(object: object, path: try statement.blob(0))
            keys.append(key)
            if cells.index(of: key) == nil { _ = cells.add(try Self.slot(key, try statement.blob(1))) }
        }
        return keys
    }

    /// Writes the cells that changed, and the links in them.
    func flushCells() throws {
        for index in cells.takeDirty() { try write(index) }
    }

    private func write(_ index: Int) throws {
        let slot = cells[index]
        let key = slot.key
        let target = slot.cell?.value?.target
        if target != slot.storedTarget {
            if let former = slot.storedTarget { try write(.removeLink, to: former, from: key) }
            if let target { try write(.addLink, to: target, from: key) }
        }
        var bytes = 0
        if let cell = slot.cell {
            let packed = RealmPacking.pack(cell)
            bytes = key.path.count + packed.count
            try statements.run(.keepCell) { statement in
                try statement.bind(key.object, key.path)
                try statement.bind(packed, at: 3)
            }
        } else if slot.storedBytes > 0 {
            try statements.run(.forgetCell) { try $0.bind(key.object, key.path) }
        }
        if bytes != slot.storedBytes { grow(key.object, by: bytes - slot.storedBytes) }
        cells.stored(index, bytes: bytes, target: target)
    }

    private func write(_ kind: RealmStatement, to target: ObjectAddress, from key: CellKey) throws {
        let target = try number(of: target)
        try statements.run(kind) { statement in
            try statement.bind(target, at: 1)
            try statement.bind(key.object, at: 2)
            try statement.bind(key.path, at: 3)
        }
    }
}
