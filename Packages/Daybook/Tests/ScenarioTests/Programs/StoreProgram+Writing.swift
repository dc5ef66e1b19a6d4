import Daybook
import EventModelTesting
import EventRecordingTesting

extension StoreProgram {
    /// One transaction as it grows: the world that it makes, and what it assigned to.
    private struct Transaction {
        var world: PlainContents
        var touchedHolders: Set<Int> = []
        /// The ids of changed targets; negative those of deleted ones.
        var touchedTargets: Set<Int> = []
        /// The targets that exist since before the transaction; only these can be read.
        var old: Set<Int>
        /// Whether anything was done, even if it was undone later.
        var hasWritten = false
    }

    /// Runs a transaction that changes something or nothing; some are cancelled.
    mutating func transact(_ instance: Int) throws {
        // A transaction begins at the newest version.
        versions[instance] = lastVersion
        let before = world(of: instance)
        let isEmpty = generator.once(in: 6)
        let isCancelled = generator.once(in: 5)
        var transaction = Transaction(world: before, old: Set(before.targets.keys))
        var program = self
        try on(instance) { realm in
            realm.beginWrite()
            if !isEmpty {
                for _ in 0..<1 + program.generator.below(4) { program.change(&transaction, in: realm, instance) }
            }
            if isCancelled { realm.cancelWrite() } else { try realm.commitWrite() }
            // An instance keeps a version from its first look at it, which this is; counting is not recorded.
            _ = realm.objects(Target.self).count
        }
        self = program
        guard !isCancelled else { return }
        guard transaction.hasWritten else {
            capture(.emptyWrite)
            return
        }
        lastVersion += 1
        versions[instance] = lastVersion
        worlds[lastVersion] = transaction.world
        let payload = before.writePayload(
            to: transaction.world,
            touchedHolders: transaction.touchedHolders,
            touchedTargets: transaction.touchedTargets
        )
        if let payload { capture(.write(payload, version: versions[instance])) }
    }

    // MARK: - Changes

    private mutating func change(_ transaction: inout Transaction, in realm: Realm, _ instance: Int) {
        let id = 1 + generator.below(Self.targetIDs.count)
        guard transaction.world.targets[id] != nil else {
            // A target that does not exist comes into being.
            let value = 10 * generator.below(7)
            transaction.world.addTarget(id, value: value)
            transaction.hasWritten = true
            realm.create(Target.self, value: ["_id": id, "value": value])
            return
        }
        // Looking the target up reads it as it was before the transaction, if it was there and is the same.
        if transaction.old.contains(id) { capture(.read(name("Target", id, in: instance))) }
        guard let target = realm.object(ofType: Target.self, forPrimaryKey: id) else { return }
        switch generator.below(7) {
        case 0, 1: changeValue(of: target, id, &transaction)
        case 2: delete(target, id, &transaction, in: realm)
        default: changeHolder(with: target, id, &transaction, instance)
        }
    }

    private mutating func changeValue(of target: Target, _ id: Int, _ transaction: inout Transaction) {
        let value = 10 * generator.below(7)
        target.value = value
        transaction.hasWritten = true
        transaction.world.targets[id] = value
        if transaction.old.contains(id) { transaction.touchedTargets.insert(id) }
    }

    private mutating func delete(_ target: Target, _ id: Int, _ transaction: inout Transaction, in realm: Realm) {
        realm.delete(target)
        transaction.hasWritten = true
        transaction.touchedHolders.formUnion(transaction.world.deleteTarget(id))
        if transaction.old.remove(id) != nil { transaction.touchedTargets.insert(-id) }
    }

    private mutating func changeHolder(
        with target: Target,
        _ targetID: Int,
        _ transaction: inout Transaction,
        _ instance: Int
    ) {
        let id = 1 + generator.below(Self.holderIDs.count)
        let holder = holder(id, in: instance)
        guard var plain = transaction.world.holders[id] else { return }
        switch generator.below(4) {
        case 0:
            holder.link = target
            plain.link = targetID
        case 1:
            holder.list.append(target)
            plain.list.append(targetID)
        case 2:
            guard !plain.list.isEmpty else { return }
            holder.list.remove(at: 0)
            plain.list.removeFirst()
        default:
            let key = ["a", "b", "c"][generator.below(3)]
            holder.map[key] = target
            plain.map[key] = .some(targetID)
        }
        transaction.world.holders[id] = plain
        transaction.touchedHolders.insert(id)
        transaction.hasWritten = true
    }
}
