import EventModelTesting
import Foundation
import ObjectStoreTesting
import Synchronization

@testable import ObjectStore

/// A random program whose steps each know some of the classes of a file only, with what the file must hold.
struct SubsetProgram: Sendable {
    /// What objects hold that a model can follow: the ids of each class, and the leaves of each tree in order.
    struct Contents: Equatable, Sendable {
        var leaves: Set<Int> = []
        var trees: [Int: [Int]] = [:]
        var woods: [Int: [Int]] = [:]
        var bags: Set<Int> = []
    }

    private var generator: SeededGenerator
    private(set) var contents = Contents()
    private var lastID = 0

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// What a realm holds that manages all classes.
    static func contents(_ realm: Realm) -> Contents {
        Contents(
            leaves: Set(realm.objects(SubsetLeaf.self).map(\.id)),
            trees: Dictionary(
                uniqueKeysWithValues: realm.objects(SubsetTree.self).map { ($0.id, $0.leaves.map(\.id)) }
            ),
            woods: Dictionary(
                uniqueKeysWithValues: realm.objects(SubsetWood.self).map { ($0.id, $0.trees.map(\.id)) }
            ),
            bags: Set(realm.objects(SubsetBag.self).map(\.id))
        )
    }

    /// Some classes that do not refer to others.
    mutating func types() -> [ObjectBase.Type] {
        var types: [ObjectBase.Type] = []
        switch generator.below(6) {
        case 0: types = [SubsetLeaf.self]
        case 1: types = [SubsetLeaf.self, SubsetPart.self]
        case 2: types = [SubsetLeaf.self, SubsetPart.self, SubsetTree.self]
        case 3: types = []
        default: types = [SubsetLeaf.self, SubsetPart.self, SubsetTree.self, SubsetWood.self]
        }
        if types.isEmpty || generator.once(in: 2) { types.append(SubsetBag.self) }
        return types
    }

    /// Runs a transaction in an instance of some classes.
    ///
    /// - Returns: The program as it goes on.
    func run(_ file: TemporaryRealm, _ types: [ObjectBase.Type]) throws -> SubsetProgram {
        var configuration = file.configuration
        configuration.objectTypes = types
        let used = configuration
        let result = Mutex(self)
        try onThread {
            let realm = try Realm(configuration: used)
            var program = result.withLock { $0 }
            let names = Set(types.map { $0.className() })
            try realm.write { realm in
                for _ in 0...program.generator.below(8) { program.step(realm, names) }
            }
            result.withLock { $0 = program }
        }
        return result.withLock { $0 }
    }

    private mutating func step(_ realm: Realm, _ names: Set<String>) {
        if generator.once(in: 40) { return deleteAll(realm, names) }
        let isDeletion = generator.once(in: 3)
        switch names.sorted()[generator.below(names.count)] {
        case "SubsetLeaf": isDeletion ? deleteLeaf(realm) : createLeaf(realm)
        case "SubsetTree": isDeletion ? deleteTree(realm) : createTree(realm, names)
        case "SubsetWood": isDeletion ? deleteWood(realm) : createWood(realm)
        case "SubsetBag": isDeletion ? deleteBag(realm) : createBag(realm, names)
        default: return
        }
    }

    private mutating func next() -> Int {
        lastID += 1
        return lastID
    }

    private mutating func some(_ ids: some Collection<Int>) -> [Int] {
        guard !ids.isEmpty else { return [] }
        let sorted = ids.sorted()
        return (0..<generator.below(4)).map { _ in sorted[generator.below(sorted.count)] }
    }

    // MARK: Steps

    private mutating func deleteAll(_ realm: Realm, _ names: Set<String>) {
        realm.deleteAll()
        if names.contains("SubsetLeaf") {
            contents.leaves = []
            contents.trees = contents.trees.mapValues { _ in [] }
        }
        if names.contains("SubsetTree") {
            contents.trees = [:]
            contents.woods = contents.woods.mapValues { _ in [] }
        }
        if names.contains("SubsetWood") { contents.woods = [:] }
        if names.contains("SubsetBag") { contents.bags = [] }
    }

    private mutating func createLeaf(_ realm: Realm) {
        let id = next()
        realm.create(SubsetLeaf.self, value: ["id": id])
        contents.leaves.insert(id)
    }

    private mutating func deleteLeaf(_ realm: Realm) {
        guard let id = some(contents.leaves).first else { return }
        realm.object(ofType: SubsetLeaf.self, forPrimaryKey: id).map(realm.delete)
        contents.leaves.remove(id)
        contents.trees = contents.trees.mapValues { $0.filter { $0 != id } }
    }

    private mutating func createTree(_ realm: Realm, _ names: Set<String>) {
        let (id, ids) = (next(), some(contents.leaves))
        let leaves = ids.compactMap { realm.object(ofType: SubsetLeaf.self, forPrimaryKey: $0) }
        let tree = realm.create(SubsetTree.self, value: ["id": id, "leaves": leaves, "leafSet": leaves])
        contents.trees[id] = ids
        tree.leaf = leaves.first
        for (index, leaf) in leaves.enumerated() { tree.leafMap["\(index)"] = leaf }
        tree.payload = value(realm, names, 3)
        tree.payloads.append(objectsIn: [value(realm, names, 2), value(realm, names, 0)])
        tree.payloadSet.insert(value(realm, names, 0))
        tree.payloadMap["a"] = value(realm, names, 2)
        let parts = (0..<4)
            .map { _ in
                let part = SubsetPart()
                part.leaf = leaves.last
                part.payload = value(realm, names, 2)
                return part
            }
        tree.part = parts[0]
        tree.parts.append(objectsIn: parts[1...2])
        tree.partMap["a"] = parts[3]
    }

    private mutating func deleteTree(_ realm: Realm) {
        guard let id = some(contents.trees.keys).first else { return }
        realm.object(ofType: SubsetTree.self, forPrimaryKey: id).map(realm.delete)
        contents.trees[id] = nil
        contents.woods = contents.woods.mapValues { $0.filter { $0 != id } }
    }

    private mutating func createWood(_ realm: Realm) {
        let (id, ids) = (next(), some(contents.trees.keys))
        let trees = ids.compactMap { realm.object(ofType: SubsetTree.self, forPrimaryKey: $0) }
        realm.create(SubsetWood.self, value: ["id": id, "trees": trees, "parts": [[String: Any]()]])
            .tree = trees.first
        contents.woods[id] = ids
    }

    private mutating func deleteWood(_ realm: Realm) {
        guard let id = some(contents.woods.keys).first else { return }
        realm.object(ofType: SubsetWood.self, forPrimaryKey: id).map(realm.delete)
        contents.woods[id] = nil
    }

    private mutating func createBag(_ realm: Realm, _ names: Set<String>) {
        let id = next()
        let bag = realm.create(SubsetBag.self, value: ["id": id])
        bag.payload = value(realm, names, 3)
        contents.bags.insert(id)
    }

    private mutating func deleteBag(_ realm: Realm) {
        guard let id = some(contents.bags).first else { return }
        realm.object(ofType: SubsetBag.self, forPrimaryKey: id).map(realm.delete)
        contents.bags.remove(id)
    }

    /// A value of any type, with lists, dictionaries and links to objects of classes that are managed.
    private mutating func value(_ realm: Realm, _ names: Set<String>, _ depth: Int) -> AnyRealmValue {
        var targets: [Object?] = []
        if names.contains("SubsetLeaf") { targets += some(contents.leaves).map { realm.leaf($0) } }
        if names.contains("SubsetTree") {
            targets += some(contents.trees.keys).map { realm.object(ofType: SubsetTree.self, forPrimaryKey: $0) }
        }
        if names.contains("SubsetBag") {
            targets += some(contents.bags).map { realm.object(ofType: SubsetBag.self, forPrimaryKey: $0) }
        }
        switch generator.below(depth > 0 ? 4 : 2) {
        case 0: return .int(generator.below(5))
        case 1: return targets.compactMap(\.self).first.map(AnyRealmValue.object) ?? .none
        case 2: return .fromArray([value(realm, names, depth - 1), value(realm, names, depth - 1)])
        default: return .fromDictionary(["a": value(realm, names, depth - 1), "b": value(realm, names, depth - 1)])
        }
    }
}

extension Realm {
    fileprivate func leaf(_ id: Int) -> SubsetLeaf? { object(ofType: SubsetLeaf.self, forPrimaryKey: id) }
}
