import ChangeModel

/// One living object of a plain realm: all that was written to its present epoch, by cell.
struct PlainObject {
    /// One write of a cell.
    struct Write {
        let stamp: Stamp
        let value: CellValue?
        let targetEpoch: Int
    }

    private let realm: PlainRealm
    private var writes: [CellPath: [Write]] = [:]
    private var additions: [CellPath: [(stamp: Stamp, number: Int64)]] = [:]
    private var clearings: [CellPath: Stamp] = [:]
    private var insertions: [CellPath: Stamp] = [:]
    private var removed: Set<CellPath> = []
    private var places: [CellPath: PlainList] = [:]

    init(_ object: ObjectAddress, in realm: PlainRealm) {
        self.realm = realm
        let epoch = realm.epoch(of: object)
        for operation in realm.operations where operation.operation.object == object && operation.epoch == epoch {
            add(operation)
        }
    }

    private mutating func add(_ sent: PlainOperation) {
        func write(_ path: CellPath, _ value: CellValue?, isDefault: Bool = false) {
            let stamp = isDefault ? sent.stamp.asDefault : sent.stamp
            let epoch = value?.target == nil ? 0 : sent.targetEpoch
            writes[path, default: []].append(Write(stamp: stamp, value: value, targetEpoch: epoch))
        }
        guard let path = sent.operation.path else {
            guard case .create(let given, let defaults) = sent.operation.action else { return }
            for (name, value) in given { write(CellPath(name), value) }
            for (name, value) in defaults { write(CellPath(name), value, isDefault: true) }
            return
        }
        switch sent.operation.action {
        case .create, .delete, .post: break
        case .set(_, let value), .listSet(_, _, let value), .mapSet(_, _, let value), .setInsert(_, let value):
            write(path, value)
        case .setRemove, .mapRemove: write(path, nil)
        case .collectionNew(_, let life): write(path, .life(life))
        case .embeddedNew(_, let id, let cells):
            write(path, .life(Life(id, .embedded)))
            for (name, value) in cells { write(path.appending(.life(id)).appending(.property(name)), value) }
        case .add(_, let number): additions[path, default: []].append((sent.stamp, number))
        case .clear: clearings[path] = max(clearings[path] ?? sent.stamp, sent.stamp)
        case .listRemove: removed.insert(path)
        case .listInsert(let list, let id, let right, let value):
            insertions[path] = sent.stamp
            write(path, value)
            places[list, default: PlainList()].add(id, before: right, sent)
        case .listMove(let list, let id, let right):
            // What was never inserted here, because that was refused, has no place to be anchored to.
            if insertions[path] != nil { places[list]?.add(id, before: right, sent) }
        }
    }
}

// MARK: - What holds

extension PlainObject {
    /// What the object holds.
    var contents: RealmContents.Object {
        var object = RealmContents.Object()
        for path in Set(writes.keys).union(additions.keys) { object.cells[path] = value(path) }
        for (path, list) in places {
            let elements = list.order.filter { object.cells[path.appending(.element($0))] != nil }
            if !elements.isEmpty { object.lists[path] = elements }
        }
        return object
    }

    /// The value of a cell; nil where it has none or belongs to something that is gone.
    private func value(_ path: CellPath) -> CellValue? {
        guard isPresent(path), let step = path.steps.last else { return nil }
        let newest = writes[path]?.max { $0.stamp < $1.stamp }
        switch step {
        case .property, .life: break
        case .key, .member:
            guard let newest, newest.stamp > clearings[path.parent] ?? .oldest else { return nil }
        case .element:
            guard !removed.contains(path), let inserted = insertions[path],
                inserted > clearings[path.parent] ?? .oldest
            else { return nil }
        }
        guard let newest else { return nil }
        if let target = newest.value?.target, isCleared(newest, target) {
            if case .element = step, case .link = newest.value { return nil }
            if case .member = step { return nil }
            return .null
        }
        guard case .int(let base) = newest.value else { return newest.value }
        let added = (additions[path] ?? []).filter { $0.stamp > newest.stamp }
        return .int(added.reduce(base) { $0 &+ $1.number })
    }

    private func isPresent(_ path: CellPath) -> Bool {
        for (index, step) in path.steps.enumerated() {
            guard case .life(let id) = step else { continue }
            let holder = CellPath(steps: Array(path.steps[..<index]))
            if value(holder)?.life?.id != id { return false }
        }
        return true
    }

    private func isCleared(_ write: Write, _ target: ObjectAddress) -> Bool {
        (realm.proposals[target] ?? [])
            .contains { $0.epoch % 2 == 0 && $0.epoch > write.targetEpoch && $0.stamp > write.stamp }
    }
}
