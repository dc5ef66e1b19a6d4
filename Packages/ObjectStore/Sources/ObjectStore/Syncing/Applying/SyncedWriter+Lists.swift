import ChangeModel
import EventModel
import ObjectQueries

// The elements of a list: where the server has them, and where a pending change has put them.
extension SyncedWriter {
    private func places(_ list: CollectionRows) -> ListPlaces { ListPlaces(rows: list, objects: objects) }

    // MARK: What the server said

    /// Puts an element where the server has it, with the value that it has there.
    func put(
        _ id: ElementID,
        before right: ElementID?,
        _ value: CellValue,
        in list: CollectionRows,
        at clock: HybridClock
    ) throws(Realm.Error) {
        let places = places(list)
        let spot = SyncedRows.Spot.element(list, id)
        let isPlaced = try places.placing(of: id) != nil
        let isHidden = try places.isHidden(id)
        if isPlaced || isHidden {
            try places.setPlace(of: id, try places.freePlace(before: try places.position(before: right, at: clock)))
            if isPlaced { try give(value, to: spot) }
            return
        }
        try places.removePlace(of: id)
        try places.relink(id)
        if try places.shownPosition(of: id) != nil {
            try moveShown(id, before: right, at: clock, in: list)
            try give(value, to: spot)
            return
        }
        let isRun = places.front(before: right, at: clock) != nil
        let position = try places.position(before: right, at: clock)
        guard let cell = try held(value, at: spot) else {
            return try places.setPlace(of: id, try places.freePlace(before: position))
        }
        try show(id, cell, at: try places.freeKey(before: position, isRun: isRun), in: list)
    }

    /// Moves the row of an element in front of another one, unless it is there.
    private func moveShown(
        _ id: ElementID,
        before right: ElementID?,
        at clock: HybridClock,
        in list: CollectionRows
    ) throws(Realm.Error) {
        let places = places(list)
        let position = try places.position(before: right, at: clock)
        guard try !places.isLast(id, before: position) else { return }
        try reposition(id, before: position, places)
        didModify(list.watched)
    }

    /// Gives the row of an element a position in front of another one; to make room for it moves rows, which may be its own.
    private func reposition(_ id: ElementID, before position: Double?, _ places: ListPlaces) throws(Realm.Error) {
        let key = try places.freeKey(before: position)
        guard let shown = try places.shownPosition(of: id) else { return }
        try places.reposition(shown, to: key)
    }

    /// Moves an element to where the server has it.
    func move(_ id: ElementID, before right: ElementID?, in list: CollectionRows, at clock: HybridClock) throws(Realm
        .Error)
    {
        let places = places(list)
        if try places.place(of: id) != nil {
            try places.setPlace(of: id, try places.freePlace(before: try places.position(before: right, at: clock)))
        } else if try places.placing(of: id) == nil, try places.shownPosition(of: id) != nil {
            try moveShown(id, before: right, at: clock, in: list)
        }
    }

    /// Shows an element where the server has it again, if a pending change has moved it: what came of that change is about to be said.
    func putBack(_ id: ElementID, in list: CollectionRows, from change: Int) throws(Realm.Error) {
        let places = places(list)
        guard try places.placing(of: id)?.change == change, let place = try places.place(of: id) else { return }
        try reposition(id, before: place, places)
        try places.removePlace(of: id)
        try places.removePlaced(id)
        didModify(list.watched)
    }

    /// Gives an element a value, if it stands somewhere.
    func set(_ id: ElementID, to value: CellValue, in list: CollectionRows) throws(Realm.Error) {
        let places = places(list)
        let spot = SyncedRows.Spot.element(list, id)
        if try rows.cell(of: id, list) != nil { return try give(value, to: spot) }
        guard try !places.isHidden(id), try places.place(of: id) != nil else { return }
        try places.relink(id)
        if let cell = try held(value, at: spot) { try showIfPlaced(id, cell, in: list) }
    }

    /// Removes an element for ever.
    func remove(_ id: ElementID, from list: CollectionRows) throws(Realm.Error) {
        let places = places(list)
        try places.removePlace(of: id)
        try places.removePlaced(id)
        try links.forget(list.collection.holder(.int(Int64(id.bits))))
        try takeOut(id, of: list)
    }

    /// Removes the elements that the server has.
    func clearConfirmed(_ list: CollectionRows) throws(Realm.Error) {
        let places = places(list)
        for id in try places.confirmed() { try remove(id, from: list) }
        didModify(list.watched)
    }

    // MARK: What a pending change does

    /// Puts a new element where the pending change that inserts it has it.
    func place(
        _ id: ElementID,
        before right: ElementID?,
        _ value: CellValue,
        in list: CollectionRows,
        by stamp: PendingStamp
    ) throws(Realm.Error) {
        let places = places(list)
        guard try places.shownPosition(of: id) == nil, try !places.isHidden(id) else { return }
        let position = try right.flatMap { right throws(Realm.Error) in try places.shownPosition(of: right) }
        guard let cell = try held(value, at: .element(list, id)) else { return }
        try show(id, cell, at: try places.freeKey(before: position.map { Double($0) }), in: list)
        try places.setPlaced(id, by: stamp)
    }

    /// Moves an element where a pending change has it.
    func place(_ id: ElementID, before right: ElementID?, in list: CollectionRows, by stamp: PendingStamp) throws(Realm
        .Error)
    {
        let places = places(list)
        guard let shown = try places.shownPosition(of: id) else { return }
        if try places.placing(of: id) == nil, try places.place(of: id) == nil {
            try places.setPlace(of: id, Double(shown))
        }
        try places.hide(id, by: stamp.change, .moved)
        let position = try right.flatMap { right throws(Realm.Error) in try places.shownPosition(of: right) }
        try reposition(id, before: position.map { Double($0) }, places)
        try places.setPlaced(id, by: stamp)
        didModify(list.watched)
    }

    /// Takes an element away from sight; where the server has it, it keeps its place.
    func hide(_ id: ElementID, in list: CollectionRows, by change: Int) throws(Realm.Error) {
        let places = places(list)
        try places.hide(id, by: change, .removed)
        guard let shown = try places.shownPosition(of: id) else { return }
        try leave(id, at: shown, places)
        try takeOut(id, of: list)
    }

    /// Keeps where the server has an element that is not shown any more: where a pending change has put it says nothing of that.
    func leave(_ id: ElementID, at shown: Int64, _ places: ListPlaces) throws(Realm.Error) {
        if try places.placing(of: id) != nil {
            try places.removePlaced(id)
        } else if try places.place(of: id) == nil {
            try places.setPlace(of: id, Double(shown))
        }
    }

    func hideAll(_ list: CollectionRows, by change: Int) throws(Realm.Error) {
        for id in try places(list).shown() { try hide(id, in: list, by: change) }
    }

    // MARK: Rows

    /// Shows an element at its place, if it has one.
    func showIfPlaced(_ id: ElementID, _ cell: AnyCell, in list: CollectionRows) throws(Realm.Error) {
        let places = places(list)
        guard let place = try places.place(of: id), try !places.isHidden(id) else { return }
        let key = try places.freeKey(before: place)
        try places.removePlace(of: id)
        try show(id, cell, at: key, in: list)
    }

    private func show(_ id: ElementID, _ cell: AnyCell, at key: Int64, in list: CollectionRows) throws(Realm.Error) {
        let insert = try objects.statement(
            "INSERT INTO \(list.table) VALUES (?1, ?2, ?3, ?4\(list.isAny ? ", ?5" : ""))"
        )
        insert.bind(1, list.owner)
        insert.bind(2, key)
        bind(cell, insert, 3, isAny: list.isAny)
        insert.bind(list.isAny ? 5 : 4, Int64(id.bits))
        try insert.run()
        didModify(list.watched)
    }

    /// Deletes the row of an element with what lies in it.
    private func takeOut(_ id: ElementID, of list: CollectionRows) throws(Realm.Error) {
        guard let (_, cell) = try rows.cell(of: id, list) else { return }
        let delete = try objects.statement(
            "DELETE FROM \(list.table) WHERE \(StorageNames.element) = ?2 AND +\(StorageNames.owner) = ?1"
        )
        delete.bind(1, list.owner)
        delete.bind(2, Int64(id.bits))
        try delete.run()
        didModify(list.watched)
        try deleteHeld(cell, isEmbedded: list.shape.kind == .embedded)
    }

    /// What a new row gets: what has cells of its own is made.
    private func held(_ value: CellValue, at spot: SyncedRows.Spot) throws(Realm.Error) -> AnyCell? {
        let shape = shape(of: spot)
        guard value.fits(shape) || value.life != nil && shape.kind == .any else { throw .unfit(spot) }
        guard let life = value.life else { return try stored(value, for: spot) }
        if life.kind == .embedded {
            guard let name = shape.targetClass, let table = realm.store.table(named: name) else { throw .unfit(spot) }
            return .link(className: name, key: try insertEmbedded(life.id, table, [:], at: spot))
        }
        let key = try makeNested(at: spot)
        try objects.setLife(self.life(life.id, at: spot), SyncTables.nested, key)
        return life.kind == .list ? .list(key) : .dictionary(key)
    }

    /// Gives an element that is shown a value.
    private func give(_ value: CellValue, to spot: SyncedRows.Spot) throws(Realm.Error) {
        guard let life = value.life else {
            guard value.fits(shape(of: spot)) else { throw .unfit(spot) }
            if let cell = try stored(value, for: spot) { return try put(cell, to: spot) }
            // What links to nothing that is here is not shown.
            guard case .element(let list, let id) = spot, let shown = try places(list).shownPosition(of: id) else {
                return
            }
            try leave(id, at: shown, places(list))
            return try takeOut(id, of: list)
        }
        if life.kind == .embedded { try embed(life.id, [:], at: spot) } else { try nest(life, at: spot) }
    }
}
