import Daybook
import EventModelTesting
import EventRecordingTesting

extension StoreProgram {
    /// Looks one object up by its primary key, which may find nothing.
    mutating func readOne(_ instance: Int) {
        if generator.once(in: 3) {
            let id = 1 + generator.below(Self.holderIDs.count)
            capture(.read(name("Holder", id, in: instance)))
            on(instance) { _ = $0.object(ofType: Holder.self, forPrimaryKey: id) }
        } else {
            let id = 1 + generator.below(Self.targetIDs.count)
            if world(of: instance).targets[id] != nil { capture(.read(name("Target", id, in: instance))) }
            on(instance) { _ = $0.object(ofType: Target.self, forPrimaryKey: id) }
        }
    }

    /// Evaluates a sorted query, by its first element or by all of them.
    mutating func query(_ instance: Int) {
        let limit = 10 * (1 + generator.below(6))
        let isAscending = generator.once(in: 2)
        let world = world(of: instance)
        let ids = world.targets.filter { $0.value <= limit }.keys.sorted { ($0 < $1) == isAscending }
        capture(.query(className: "Target", keys: ids, version: versions[instance]))
        let isIterated = generator.once(in: 2)
        if isIterated { for id in ids { capture(.read(name("Target", id, in: instance))) } }
        on(instance) { realm in
            let results = realm.objects(Target.self).where { $0.value <= limit }
                .sorted(byKeyPath: "_id", ascending: isAscending)
            if isIterated {
                for target in results { _ = target.value }
            } else {
                _ = results.first
            }
        }
    }

    /// Iterates a class, which reads its objects one by one in the order of their rows.
    mutating func readAll(_ instance: Int) {
        for id in world(of: instance).targetOrder { capture(.read(name("Target", id, in: instance))) }
        on(instance) { for target in $0.objects(Target.self) { _ = target.value } }
    }

    /// Follows the link, the list or the map of a holder that was obtained before.
    mutating func follow(_ instance: Int) {
        let id = 1 + generator.below(Self.holderIDs.count)
        guard let plainHolder = world(of: instance).holders[id] else { return }
        let holder = holder(id, in: instance)
        switch generator.below(4) {
        case 0:
            if let target = plainHolder.link { follow(id, "link", [target], to: target, in: instance) }
            on(instance) { _ in _ = holder.link }
        case 1:
            guard !plainHolder.list.isEmpty else { return }
            let index = generator.below(plainHolder.list.count)
            follow(id, "list", plainHolder.list, to: plainHolder.list[index], in: instance)
            on(instance) { _ in _ = holder.list[index] }
        case 2:
            for target in plainHolder.list { follow(id, "list", plainHolder.list, to: target, in: instance) }
            on(instance) { _ in for target in holder.list { _ = target.value } }
        default:
            let key = ["a", "b", "c"][generator.below(3)]
            if let target = plainHolder.map[key] ?? nil {
                let all = plainHolder.map.sorted { $0.key < $1.key }.compactMap(\.value)
                follow(id, "map", all, to: target, in: instance)
            }
            on(instance) { _ in _ = holder.map[key] }
        }
    }

    private mutating func follow(_ holder: Int, _ property: String, _ all: [Int], to target: Int, in instance: Int) {
        capture(
            .follow(
                from: name("Holder", holder, in: instance),
                property: property,
                to: name("Target", target, in: instance),
                all: all.map { name("Target", $0, in: instance) }
            )
        )
    }
}
