import ChangeModel
import EventModel
import ObjectQueries

/// Writes the entries of a server into a file, under the changes of the file that the server has not confirmed yet.
///
/// The entries of others are literal: they are written as they are, and what pending changes did to the same cells later is done again. The
/// file's own entry says what became of a change: what holds otherwise is written, and whatever holds as it was sent stays. So no
/// rule of conflict is known here but which of two times is later, and that only for the eye: a cell that no pending change touches has
/// the server's value. `OverlayDevice` is the model of this, checked by random work.
struct Integration {
    let objects: SyncedObjects
    let writer: SyncedWriter
    let unknown: UnknownOperations
    var pending: PendingIndex
    var standing: PendingChanges.Standing
    /// The number that the server gave the file; nil before it did.
    private let file: UInt32?
    private(set) var rejections: [Integrated.RejectedWrite] = []
    /// The objects of a snapshot that are newer than the position, and the number that each is of.
    var newer: [ObjectAddress: Int]

    /// Prepares to integrate in the open transaction.
    init(_ realm: RealmCore, _ objects: SyncedObjects) throws(Realm.Error) {
        self.objects = objects
        writer = SyncedWriter(realm, objects)
        unknown = UnknownOperations(objects: objects)
        let changes = PendingChanges(objects)
        // Taken out, so that a transaction that fails leaves none behind that knows more than the file.
        pending = realm.store.touchedCells?.takePending() ?? PendingIndex()
        // Another process may have integrated meanwhile.
        if try pending.first?.number != changes.firstNumber() { pending = PendingIndex() }
        pending.append(try changes.decoded(after: pending.lastNumber))
        standing = try changes.standing()
        file = try changes.file()
        newer = try SnapshotTables(objects).newer()
    }

    /// The number of the last entry that was integrated.
    var position: Int { standing.position }

    /// Integrates the next entries; those that were integrated before are passed over.
    ///
    /// - Throws: A `Realm.Error` when entries before one are missing, when it does not fit the schema, and when the file cannot be written
    ///   to. The transaction must be rolled back then.
    mutating func integrate(_ entries: [Entry]) throws(Realm.Error) {
        for entry in entries { try integrate(entry) }
        try PendingChanges(objects).setStanding(standing)
    }

    private mutating func integrate(_ entry: Entry) throws(Realm.Error) {
        guard entry.number > standing.position else { return }
        guard entry.number == standing.position + 1 else {
            throw Realm.Error(
                .incompatibleHistories,
                "The server's entry \(entry.number) came before the entry \(standing.position + 1); nothing of it was written."
            )
        }
        standing.position = entry.number
        objects.front = nil
        standing.clock = standing.clock.hearing(entry.clock)
        if entry.change.file == file { try settle(entry) } else { try apply(entry) }
        try catchUp()
    }

    /// Whether what an entry says of an object is to be passed over.
    private func isPassedOver(_ object: ObjectAddress) -> Bool {
        pending.covers(object) || newer[object].map { $0 >= standing.position } ?? false
    }

    /// Writes what others did.
    private mutating func apply(_ entry: Entry) throws(Realm.Error) {
        for literal in entry.literals where !isPassedOver(literal.object) {
            try write(literal, at: entry.clock)
            try redo(after: literal) { $0.clock > entry.clock }
        }
    }

    /// Takes what became of the first pending change, and does later ones again where that wrote.
    private mutating func settle(_ entry: Entry) throws(Realm.Error) {
        guard let own = pending.first, own.number == entry.change.number else {
            throw Realm.Error(
                .incompatibleHistories,
                """
                The server took the change \(entry.change.number) of this file, and the change \
                \(pending.first?.number ?? standing.next) was to come; nothing of it was written.
                """
            )
        }
        pending.removeFirst()
        standing.next = max(standing.next, own.number + 1)
        standing.settled = max(own.clock, entry.clock)
        try putBack(for: entry, from: own.number)
        try PendingChanges(objects).remove(own.number)
        for (index, reason) in entry.refusals where index < own.operations.count {
            rejections.append(
                Integrated.RejectedWrite(
                    change: own.number,
                    index: index,
                    object: own.operations[index].object,
                    reason: reason
                )
            )
        }
        var created: [ObjectAddress: Int] = [:]
        for (index, literal) in entry.literals.enumerated() {
            if case .create = literal.action { created[literal.object] = index }
        }
        for (index, literal) in entry.literals.enumerated() where !isPassedOver(literal.object) {
            // What was created here is there already, and what was done before that was done to a former object.
            if let creation = created[literal.object], index <= creation {
                // Links of others that waited for it wait no longer: by now everybody has it.
                if index == creation { try writer.resolve(literal.object) }
                continue
            }
            try write(literal, at: entry.clock, isOwn: true)
            try redo(after: literal) { _ in true }
        }
        for literal in entry.correctionsInOrder where !isPassedOver(literal.object) {
            try write(literal, at: entry.clock, isOwn: true)
            try redo(after: literal) { _ in true }
        }
        try PendingChanges(objects).forgetPlacesWithoutReason()
    }

    /// Puts elements back that an own change has moved, and that others come in front of in its entry.
    ///
    /// The entry says its operations in order: the others come in front of where the element was before it was moved.
    private func putBack(for entry: Entry, from change: Int) throws(Realm.Error) {
        for literal in entry.literals where !isPassedOver(literal.object) {
            switch literal.action {
            case .listInsert(let path, _, let right?, _), .listMove(let path, _, let right?):
                guard let list = try list(literal.object, path) else { continue }
                try writer.putBack(right, in: list, from: change)
            default: continue
            }
        }
    }

    // MARK: Literal

    /// Does what a server said; what this program does not declare is put aside.
    func write(
        _ literal: ChangeOperation,
        at clock: HybridClock,
        isOwn: Bool = false
    ) throws(Realm.Error) {
        guard try !putAside(literal, at: clock, isOwn: isOwn) else { return }
        let object = literal.object
        switch literal.action {
        case .create(let given, _): return try writer.create(object, given)
        case .delete: return try writer.delete(object)
        case .set(let path, let value): try assign(value, to: object, path)
        case .add, .post: return
        case .listInsert(let path, let id, let right, let value):
            guard let list = try list(object, path) else { return }
            try writer.put(id, before: right, value, in: list, at: clock)
        case .listRemove(let path, let id):
            guard let list = try list(object, path) else { return }
            try writer.remove(id, from: list)
        case .listSet(let path, let id, let value):
            guard let list = try list(object, path) else { return }
            try writer.set(id, to: value, in: list)
        case .listMove(let path, let id, let right):
            guard let list = try list(object, path) else { return }
            try writer.move(id, before: right, in: list, at: clock)
        case .clear(let path):
            guard case .collection(let collection)? = try writer.rows.spot(object, path) else { return }
            if collection.isList { try writer.clearConfirmed(collection) } else { try writer.clear(collection) }
        case .setInsert, .setRemove, .mapSet, .mapRemove, .embeddedNew, .collectionNew: try writeAlike(literal)
        }
    }

    /// Puts aside what this program does not declare.
    ///
    /// - Returns: Whether nothing is left of the literal.
    func putAside(
        _ literal: ChangeOperation,
        at clock: HybridClock,
        isOwn: Bool
    ) throws(Realm.Error) -> Bool {
        guard literal.posted == nil else { return true }
        let part = unknown.part(of: literal)
        switch literal.action {
        case .create:
            try unknown.forget(literal.object)
            // What another program has written to the file of an object that begins anew is not written by this one.
            guard case .everything = part else {
                for (place, clear) in try unknown.clearing(literal.object) {
                    try unknown.keep(clear, of: place, at: clock, isOwn: isOwn)
                }
                break
            }
        case .delete:
            try unknown.forget(literal.object)
            if case .everything(let place) = part, try !unknown.hasClass(place.className) { return true }
        default: break
        }
        switch part {
        case .nothing: return false
        case .everything(let place):
            try unknown.keep(literal, of: place, at: clock, isOwn: isOwn)
            return true
        case .cells(let cells):
            for (place, cell) in cells { try unknown.keep(cell, of: place, at: clock, isOwn: isOwn) }
            return false
        }
    }

    /// Does what was put aside and is declared by now.
    func writeDeclared() throws(Realm.Error) {
        let places = try unknown.declared()
        guard !places.isEmpty else { return }
        for kept in try unknown.take(places) where !pending.covers(kept.operation.object) {
            try write(kept.operation, at: kept.clock, isOwn: kept.isOwn)
            try redo(after: kept.operation) { kept.isOwn || $0.clock > kept.clock }
        }
    }

    /// Does what is the same whether a server said it or a pending change does it again.
    private func writeAlike(_ operation: ChangeOperation) throws(Realm.Error) {
        let object = operation.object
        switch operation.action {
        case .setInsert(let path, let member):
            guard case .collection(let set)? = try writer.rows.spot(object, path) else { return }
            try writer.insert(member, into: set)
        case .setRemove(let path, let member):
            guard case .collection(let set)? = try writer.rows.spot(object, path) else { return }
            try writer.remove(member, from: set)
        case .mapSet(let path, let key, let value):
            guard let spot = try writer.rows.spot(object, path.appending(.key(key))) else { return }
            try writer.assign(value, to: spot)
        case .mapRemove(let path, let key):
            guard case .collection(let map)? = try writer.rows.spot(object, path) else { return }
            try writer.remove(key.string, from: map)
        case .embeddedNew(let path, let id, let cells):
            guard let spot = try writer.rows.spot(object, path) else { return }
            try writer.embed(id, cells, at: spot)
        case .collectionNew(let path, let life):
            guard let spot = try writer.rows.spot(object, path) else { return }
            try writer.nest(life, at: spot)
        default: return
        }
    }

    private func assign(_ value: CellValue, to object: ObjectAddress, _ path: CellPath) throws(Realm.Error) {
        if let (table, slot) = writer.rows.scalar(object, path) {
            return try writer.assign(value, to: object.key, table, slot)
        }
        guard let spot = try writer.rows.spot(object, path) else { return }
        if case .element(let list, let id) = spot { return try writer.set(id, to: value, in: list) }
        try writer.assign(value, to: spot)
    }

    private func list(_ object: ObjectAddress, _ path: CellPath) throws(Realm.Error) -> CollectionRows? {
        guard case .collection(let rows)? = try writer.rows.spot(object, path), rows.isList else { return nil }
        return rows
    }

    // MARK: Pending

    /// Does again what pending changes did to what a literal has written, or inside it.
    private func redo(after literal: ChangeOperation, where isWanted: (PendingStamp) -> Bool) throws(Realm.Error) {
        guard !pending.isEmpty else { return }
        guard let path = literal.path else {
            for entry in pending[literal.object] where entry.operation.path != nil && isWanted(entry.stamp) {
                try redo(entry.operation, entry.stamp)
            }
            return
        }
        let entries = pending[literal.object, path]
        // The last assignment to a property replaces what came before it, however often a device wrote there while it was offline.
        let last = entries.lastIndex { isWanted($0.stamp) && $0.operation.replaces(path) }
        for entry in entries[(last ?? entries.startIndex)...] where isWanted(entry.stamp) {
            try redo(entry.operation, entry.stamp)
        }
    }

    func redo(_ operation: ChangeOperation, _ stamp: PendingStamp) throws(Realm.Error) {
        let object = operation.object
        switch operation.action {
        case .create, .delete, .post: return
        case .set(let path, let value): try assign(value, to: object, path)
        case .add(let path, let number):
            guard let spot = try writer.rows.spot(object, path), case .value(.int(let old))? = try writer.current(spot)
            else { return }
            try writer.assign(.int(old &+ number), to: spot)
        case .listInsert(let path, let id, let right, let value):
            guard let list = try list(object, path) else { return }
            try writer.place(id, before: right, value, in: list, by: stamp)
        case .listRemove(let path, let id):
            guard let list = try list(object, path) else { return }
            try writer.hide(id, in: list, by: stamp.change)
        case .listSet(let path, let id, let value):
            guard let list = try list(object, path) else { return }
            try writer.set(id, to: value, in: list)
        case .listMove(let path, let id, let right):
            guard let list = try list(object, path) else { return }
            try writer.place(id, before: right, in: list, by: stamp)
        case .clear(let path):
            guard case .collection(let collection)? = try writer.rows.spot(object, path) else { return }
            if collection.isList {
                try writer.hideAll(collection, by: stamp.change)
            } else {
                try writer.clear(collection)
            }
        case .setInsert, .setRemove, .mapSet, .mapRemove, .embeddedNew, .collectionNew: try writeAlike(operation)
        }
    }
}

extension ChangeOperation {
    /// Whether it gives a property of the object itself another value, whatever it held.
    fileprivate func replaces(_ path: CellPath) -> Bool {
        if case .set(path, _) = action { path.steps.count == 1 } else { false }
    }
}
