import Dispatch
import EventModel
import EventModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

final class SubsetLeaf: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
}

final class SubsetPart: EmbeddedObject {
    @Persisted var leaf: SubsetLeaf?
    @Persisted var payload: AnyRealmValue
}

final class SubsetTree: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var leaf: SubsetLeaf?
    @Persisted var leaves: List<SubsetLeaf>
    @Persisted var leafSet: MutableSet<SubsetLeaf>
    @Persisted var leafMap: Map<String, SubsetLeaf?>
    @Persisted var payload: AnyRealmValue
    @Persisted var payloads: List<AnyRealmValue>
    @Persisted var payloadSet: MutableSet<AnyRealmValue>
    @Persisted var payloadMap: Map<String, AnyRealmValue>
    @Persisted var part: SubsetPart?
    @Persisted var parts: List<SubsetPart>
    @Persisted var partMap: Map<String, SubsetPart?>
}

final class SubsetWood: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var tree: SubsetTree?
    @Persisted var trees: List<SubsetTree>
    @Persisted var parts: List<SubsetPart>
}

final class SubsetBag: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var payload: AnyRealmValue
}

private let everything: [ObjectBase.Type] = [
    SubsetLeaf.self, SubsetPart.self, SubsetTree.self, SubsetWood.self, SubsetBag.self,
]

extension Realm {
    fileprivate func leaf(_ id: Int) -> SubsetLeaf? { object(ofType: SubsetLeaf.self, forPrimaryKey: id) }
}

@Suite("Instances that manage some of the classes of a file")
struct SubsetTests {
    private let file: TemporaryRealm

    init() throws { file = try TemporaryRealm(everything) }

    /// Runs a transaction in an instance of some classes, which is closed afterwards.
    private func write(_ types: [ObjectBase.Type], _ change: @escaping @Sendable (Realm) throws -> Void) throws {
        var configuration = file.configuration
        configuration.objectTypes = types
        let used = configuration
        try onThread { try Realm(configuration: used).write(change) }
    }

    private func problems() throws -> [String] {
        try FileIntegrity(try #require(file.configuration.fileURL)).problems()
    }

    private static var tree: [String: Any] {
        let leaf: [String: Any] = ["id": 1]
        return [
            "id": 1, "leaf": leaf, "leaves": [leaf, ["id": 2], leaf], "leafSet": [leaf, ["id": 2]],
            "leafMap": ["a": leaf, "b": ["id": 2]], "part": ["leaf": leaf],
            "parts": [["leaf": leaf], ["leaf": ["id": 2]]], "partMap": ["a": ["leaf": leaf]],
        ]
    }

    /// Gives every property of any type of a tree values that link to an object.
    private static func link(_ tree: SubsetTree?, to leaf: SubsetLeaf?) {
        guard let tree, let leaf else { return }
        let nested = AnyRealmValue.fromArray([.object(leaf), .fromDictionary(["in": .object(leaf), "n": .int(1)])])
        tree.payload = .object(leaf)
        tree.payloads.append(objectsIn: [.object(leaf), .int(1), nested])
        tree.payloadSet.insert(objectsIn: [.object(leaf), .int(1)])
        tree.payloadMap["a"] = .object(leaf)
        tree.payloadMap["b"] = nested
        tree.part?.payload = nested
    }

    @Test("a deleted object leaves links, lists, sets, maps and values of any type of classes that are not managed")
    func deletion() throws {
        try write(everything) { realm in
            realm.create(SubsetTree.self, value: Self.tree, update: .modified)
            Self.link(realm.objects(SubsetTree.self).first, to: realm.leaf(1))
        }

        try write([SubsetLeaf.self]) { realm in realm.leaf(1).map(realm.delete) }

        #expect(try problems() == [])
        let tree = try #require(try file.open().objects(SubsetTree.self).first)
        #expect(tree.leaf == nil)
        #expect(tree.leaves.map(\.id) == [2])
        #expect(tree.leafSet.map(\.id) == [2])
        #expect(tree.leafMap["a"] == .some(nil))
        #expect(tree.leafMap["b"]??.id == 2)
        #expect(tree.part?.leaf == nil)
        #expect(tree.parts.map { $0.leaf?.id } == [nil, 2])
        #expect(tree.payload == .none)
        #expect(tree.payloads[0] == .none && tree.payloads[1] == .int(1))
        #expect(tree.payloads[2].listValue?[0] == AnyRealmValue.none)
        #expect(tree.payloads[2].listValue?[1].dictionaryValue?["n"] == .int(1))
        #expect(Array(tree.payloadSet) == [.int(1)])
        #expect(tree.payloadMap["a"] == AnyRealmValue.none)
        #expect(tree.part?.payload.listValue?.count == 2)
    }

    @Test("an instance that manages all classes and is open meanwhile shows it, and its handlers are told")
    func live() throws {
        try write(everything) { realm in
            realm.create(SubsetTree.self, value: Self.tree, update: .modified)
            Self.link(realm.objects(SubsetTree.self).first, to: realm.leaf(1))
        }
        let place = try QueueRealm(file)
        let (told, keys) = (Log<Told>(), Log<[String]>())
        let tokens = try place.run { realm in
            let tree = try #require(realm.objects(SubsetTree.self).first)
            return [
                tree.leaves.observe { told.add(Told($0)) },
                tree.observe { (change: ObjectChange<SubsetTree>) in
                    if case .change(_, let properties) = change { keys.add(properties.map(\.name)) }
                },
            ]
        }
        #expect(told.take() == [.initial(3)])

        try write([SubsetLeaf.self]) { realm in realm.leaf(1).map(realm.delete) }
        place.settle()
        place.settle()

        #expect(told.take() == [.update(1, deletions: [0, 2])])
        #expect(keys.take().first?.contains("leaves") == true)
        place.run { realm in
            #expect(realm.objects(SubsetTree.self).first?.leaves.map(\.id) == [2])
            for token in tokens { token.invalidate() }
        }
    }

    @Test("objects that are deleted together, one by one and as a result leave the same")
    func many() throws {
        for (index, deletion) in [
            { realm in realm.delete(realm.objects(SubsetLeaf.self)) },
            { realm in for leaf in realm.objects(SubsetLeaf.self) { realm.delete(leaf) } },
            { realm in realm.deleteAll() },
        ]
        .enumerated() as EnumeratedSequence<[@Sendable (Realm) -> Void]> {
            try write(everything) { realm in
                realm.deleteAll()
                realm.create(SubsetTree.self, value: Self.tree, update: .modified)
                Self.link(realm.objects(SubsetTree.self).first, to: realm.leaf(1))
            }

            try write([SubsetLeaf.self]) { realm in deletion(realm) }

            #expect(try problems() == [], "\(index)")
            try onThread { [file] in
                let tree = try #require(try file.open().objects(SubsetTree.self).first)
                #expect(tree.leaves.isEmpty && tree.leafSet.isEmpty && tree.leaf == nil, "\(index)")
                #expect(tree.leafMap.keys == ["a", "b"], "\(index)")
                #expect(tree.parts.count == 2, "\(index)")
            }
        }
    }

    @Test("deleting everything that is managed leaves the values and parts of other classes alone")
    func deleteAll() throws {
        try write(everything) { realm in
            realm.create(SubsetBag.self, value: ["id": 1, "payload": [1, ["a": 2]]])
            realm.create(SubsetTree.self, value: ["id": 1, "payload": [3, [4]], "part": ["payload": [5]]])
            realm.create(SubsetWood.self, value: ["id": 1, "parts": [["payload": [6]]]])
        }

        try write([SubsetBag.self]) { realm in realm.deleteAll() }
        try write([SubsetLeaf.self, SubsetPart.self]) { realm in realm.deleteAll() }
        #expect(try problems() == [])
        try onThread { [file] in
            let realm = try file.open()
            #expect(realm.objects(SubsetBag.self).isEmpty)
            let tree = try #require(realm.objects(SubsetTree.self).first)
            #expect(tree.payload.listValue?[1].listValue?[0] == .int(4))
            #expect(tree.part?.payload.listValue?[0] == .int(5))
        }

        try write([SubsetLeaf.self, SubsetPart.self, SubsetTree.self]) { realm in realm.deleteAll() }
        #expect(try problems() == [])
        let wood = try #require(try file.open().objects(SubsetWood.self).first)
        #expect(wood.parts.map { $0.payload.listValue?[0] } == [.int(6)])
    }

    @Test(
        "random programs of instances that manage random classes leave a whole file",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func random(seed: UInt64) throws {
        var program = SubsetProgram(seed: seed)
        let place = try QueueRealm(file)
        for round in 0..<40 {
            let types = program.types()
            let steps = program
            program = try steps.run(file, types)

            #expect(try problems() == [], "seed \(seed), round \(round)")
            let found = place.run { realm in
                realm.refresh()
                return SubsetProgram.contents(realm)
            }
            try #require(found == program.contents, "seed \(seed), round \(round), classes \(types)")
        }
    }
}
