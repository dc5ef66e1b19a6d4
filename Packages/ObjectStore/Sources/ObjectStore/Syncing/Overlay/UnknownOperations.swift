import ChangeModel
import EventModel
import ObjectQueries

/// What a server said of classes and properties that this program does not declare: kept until one comes that does.
///
/// Operations are kept as they came, in order, by what is not declared. To write them later is to integrate them later: nothing that is here
/// depends on them, because nobody here could see or write it.
struct UnknownOperations {
    /// A class that is not declared, or a property of a class that is.
    struct Place: Hashable {
        let className: String
        /// The stored name; empty for a class.
        var property = ""
    }

    /// What of an operation this program has no place for.
    enum Part {
        case nothing
        /// The whole operation.
        case everything(Place)
        /// Cells of what it creates, each as an operation of its own.
        case cells([(Place, ChangeOperation)])
    }

    /// An operation that was kept.
    struct Kept {
        let operation: ChangeOperation
        let clock: HybridClock
        /// Whether it says what became of a change of this file.
        let isOwn: Bool
    }

    let objects: SyncedObjects

    private var store: StoreConnection { objects.store }

    // MARK: Telling

    /// What of an operation this program has no place for.
    func part(of operation: ChangeOperation) -> Part {
        let className = operation.object.className.string
        guard let table = store.table(named: className) else { return .everything(Place(className: className)) }
        switch operation.action {
        case .create(let cells, _):
            return cells.isEmpty
                ? .nothing : unknownCells(cells, of: table, operation.object, at: CellPath(steps: []))
        case .delete: return .nothing
        case .embeddedNew(let path, let id, let cells):
            let (place, target) = follow(path, from: table)
            if let place { return .everything(place) }
            guard let target, !cells.isEmpty else { return .nothing }
            return unknownCells(cells, of: target, operation.object, at: path.appending(.life(id)))
        default: return operation.path.flatMap { follow($0, from: table).unknown }.map(Part.everything) ?? .nothing
        }
    }

    private func unknownCells(
        _ cells: ChangeOperation.Cells,
        of table: ClassTable,
        _ object: ObjectAddress,
        at path: CellPath
    ) -> Part {
        guard table.saidColumns(cells).hasUndeclared else { return .nothing }
        let unknown = cells.keys.filter { table.slot(named: $0) == nil }
        return .cells(
            unknown.map { name in
                let place = Place(className: table.schema.name, property: name.string)
                let value = cells[name] ?? .null
                return (place, ChangeOperation(object, .set(path.appending(.property(name)), value)))
            }
        )
    }

    /// Goes along a path through what is declared.
    ///
    /// - Returns: The first property that is not; or else the class of the embedded object that the last property may hold.
    private func follow(_ path: CellPath, from table: ClassTable) -> (unknown: Place?, target: ClassTable?) {
        var table: ClassTable? = table
        for case .property(let name) in path.steps {
            guard let here = table else { return (nil, nil) }
            guard let slot = here.slot(named: name) else {
                return (Place(className: here.schema.name, property: name.string), nil)
            }
            let shape = here.schema.shape.properties[slot]
            table = shape.kind == .embedded ? shape.targetClass.flatMap { store.table(named: $0) } : nil
        }
        return (nil, table)
    }

    private func isDeclared(_ place: Place) -> Bool {
        guard let table = store.table(named: place.className) else { return false }
        return place.property.isEmpty || table.slot(named: ExactText(place.property)) != nil
    }

    // MARK: Keeping

    /// Whether anything may be kept; nobody else keeps something while the transaction is open.
    func exist() throws(Realm.Error) -> Bool {
        if let known = objects.hasUnknown { return known }
        let select = try objects.statement("SELECT 1 FROM \(SyncTables.unknown) LIMIT 1")
        defer { select.reset() }
        let exist = try select.step()
        objects.hasUnknown = exist
        return exist
    }

    /// Keeps an operation; an assignment takes the place of earlier ones to the same cell.
    func keep(
        _ operation: ChangeOperation,
        of place: Place,
        at clock: HybridClock,
        isOwn: Bool
    ) throws(Realm.Error) {
        objects.hasUnknown = true
        var cell: [UInt8]?
        if case .set(let path, _) = operation.action {
            let name = Self.bytes(of: ChangeOperation(operation.object, .set(path, .null)), at: .zero)
            let delete = try objects.statement(
                "DELETE FROM \(SyncTables.unknown) WHERE class = ?1 AND key IS ?2 AND cell = ?3"
            )
            delete.bind(1, operation.object.className.string)
            operation.object.key.value.bind(to: delete.handle, at: 2)
            name.withUnsafeBytes { bindBytes($0, delete.handle, 3) }
            try delete.run()
            cell = name
        }
        let insert = try objects.statement(
            """
            INSERT INTO \(SyncTables.unknown) (holderClass, property, class, key, cell, isOwn, change) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        )
        insert.bind(1, place.className)
        insert.bind(2, place.property)
        insert.bind(3, operation.object.className.string)
        operation.object.key.value.bind(to: insert.handle, at: 4)
        if let cell { cell.withUnsafeBytes { bindBytes($0, insert.handle, 5) } } else { insert.bindNull(5) }
        insert.bind(6, isOwn ? 1 : 0)
        Self.bytes(of: operation, at: clock).withUnsafeBytes { bindBytes($0, insert.handle, 7) }
        try insert.run()
    }

    /// An operation is kept as a change of its own, whose format loses nothing.
    private static func bytes(of operation: ChangeOperation, at clock: HybridClock) -> [UInt8] {
        Change(number: 1, base: 0, clock: clock, operations: [operation]).body
    }

    /// Forgets what is kept of an object, which is gone or begins anew.
    func forget(_ object: ObjectAddress) throws(Realm.Error) {
        guard try exist() else { return }
        let delete = try objects.statement("DELETE FROM \(SyncTables.unknown) WHERE class = ?1 AND key IS ?2")
        delete.bind(1, object.className.string)
        object.key.value.bind(to: delete.handle, at: 2)
        try delete.run()
    }

    func removeAll() throws(Realm.Error) { try objects.statement("DELETE FROM \(SyncTables.unknown)").run() }

    // MARK: Taking

    /// What is declared by now of what is kept.
    func declared() throws(Realm.Error) -> Set<Place> {
        let select = try objects.statement("SELECT DISTINCT holderClass, property FROM \(SyncTables.unknown)")
        var places: Set<Place> = []
        while try select.step() {
            let place = Place(className: select.text(0), property: select.text(1))
            if isDeclared(place) { places.insert(place) }
        }
        return places
    }

    /// Takes out what is kept of some classes and properties, in the order in which it came.
    func take(_ places: Set<Place>) throws(Realm.Error) -> [Kept] {
        let select = try objects.statement(
            "SELECT holderClass, property, isOwn, change FROM \(SyncTables.unknown) ORDER BY id"
        )
        var kept: [Kept] = []
        while try select.step() {
            guard places.contains(Place(className: select.text(0), property: select.text(1))) else { continue }
            do {
                let change = try Change(number: 1, body: Array(select.bytes(3)))
                for operation in change.operations {
                    kept.append(Kept(operation: operation, clock: change.clock, isOwn: select.int(2) != 0))
                }
            } catch {
                throw .damagedChange(error)
            }
        }
        for place in places {
            let delete = try objects.statement(
                "DELETE FROM \(SyncTables.unknown) WHERE holderClass = ?1 AND property = ?2"
            )
            delete.bind(1, place.className)
            delete.bind(2, place.property)
            try delete.run()
        }
        return kept
    }
}

// MARK: - What the file has of it already

extension UnknownOperations {
    /// Whether the file has a class, which another program declares.
    func hasClass(_ name: String) throws(Realm.Error) -> Bool {
        try objects.store.unmanagedPlaces().has(name)
    }

    /// What makes the properties empty that the file has of an object and that this program does not declare.
    func clearing(_ object: ObjectAddress) throws(Realm.Error) -> [(Place, ChangeOperation)] {
        let known = try objects.store.unmanagedPlaces()
        return known.places(of: object.className.string)
            .compactMap { place in
                let path = CellPath(ExactText(place.name))
                if place.collection == .none, !known.isOptional(place) { return nil }
                let action: ChangeOperation.Action = place.collection == .none ? .set(path, .null) : .clear(path)
                return (Place(className: place.className, property: place.name), ChangeOperation(object, action))
            }
    }

    /// The objects of classes that the file has and this program does not declare.
    func unmanagedObjects() throws(Realm.Error) -> [ObjectAddress] {
        var found: [ObjectAddress] = []
        for name in try StoredSchema(objects.store.connection).classes().values
        where !name.isEmbedded && store.table(named: name.name) == nil {
            let select = try store.connection.prepare(
                "SELECT \(StorageNames.key) FROM \(StorageNames.table(name.name))"
            )
            for row in try select.keys() {
                if let object = try objects.address(name.name, row) { found.append(object) }
            }
        }
        return found
    }
}
