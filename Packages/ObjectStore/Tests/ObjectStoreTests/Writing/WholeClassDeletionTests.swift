import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("All objects of a class are deleted together")
struct WholeClassDeletionTests {
    private static let types: [ObjectBase.Type] = [
        SubsetLeaf.self, SubsetPart.self, SubsetTree.self, SubsetWood.self, SubsetBag.self,
    ]

    /// A file with links of each kind to leaves and to trees.
    private func filled() throws -> (TemporaryRealm, Realm) {
        let file = try TemporaryRealm(Self.types)
        let realm = try file.open()
        try realm.write {
            for id in 0..<30 {
                let leaf = realm.create(SubsetLeaf.self, value: ["id": id, "name": "Leaf \(id)"])
                let tree = realm.create(SubsetTree.self, value: ["id": id])
                tree.leaf = leaf
                tree.leaves.append(objectsIn: [leaf, leaf])
                tree.leafSet.insert(leaf)
                tree.leafMap["a"] = leaf
                tree.payload = .object(leaf)
                tree.payloads.append(objectsIn: [.object(leaf), .int(1)])
                tree.payloadSet.insert(.object(leaf))
                tree.payloadMap["a"] = .object(leaf)
                tree.part = SubsetPart(value: ["leaf": leaf])
                tree.parts.append(SubsetPart(value: ["leaf": leaf]))
                let wood = realm.create(SubsetWood.self, value: ["id": id])
                wood.tree = tree
                wood.trees.append(tree)
            }
        }
        return (file, realm)
    }

    /// All rows of the file but those of the change log.
    private func contents(_ file: TemporaryRealm) throws -> [String] {
        let url = try #require(file.configuration.fileURL)
        let connection = try Connection(fileURL: url, isReadOnly: true, isDurable: true)
        let tables = try connection.prepare(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('$changes', '$realm') ORDER BY name"
        )
        var lines: [String] = []
        while try tables.step() {
            let name = tables.text(0)
            let info = try connection.prepare(
                "SELECT group_concat('quote(\"' || name || '\")', ' || '','' || ') FROM pragma_table_info('\(name)')"
            )
            #expect(try info.step())
            let rows = try connection.prepare("SELECT \(info.text(0)) FROM \"\(name)\" ORDER BY 1")
            while try rows.step() { lines.append("\(name): \(rows.text(0))") }
        }
        return lines
    }

    @Test("links, elements and embedded objects go as if each object was deleted alone", arguments: [false, true])
    func same(deletesTrees: Bool) throws {
        let (together, first) = try filled()
        let (alone, second) = try filled()

        try first.write {
            if deletesTrees { first.delete(first.objects(SubsetTree.self)) }
            first.delete(first.objects(SubsetLeaf.self))
        }
        try second.write {
            if deletesTrees { for tree in second.objects(SubsetTree.self) { second.delete(tree) } }
            for leaf in second.objects(SubsetLeaf.self) { second.delete(leaf) }
        }

        #expect(first.objects(SubsetLeaf.self).isEmpty)
        #expect(first.objects(SubsetTree.self).count == (deletesTrees ? 0 : 30))
        #expect(try contents(together) == contents(alone))
    }

    @Test("accessors of the objects are invalid, and their keys are not given again")
    func accessors() throws {
        let (_, realm) = try filled()
        let leaf = try #require(realm.objects(SubsetLeaf.self).last)
        let bag = try realm.write { realm.create(SubsetBag.self, value: ["id": 1]) }

        try realm.write { realm.delete(realm.objects(SubsetLeaf.self)) }
        let new = try realm.write { realm.create(SubsetLeaf.self, value: ["id": 1000]) }

        #expect(leaf.isInvalidated)
        #expect(!bag.isInvalidated)
        #expect(new._core?.key != leaf._core?.key)
    }

    @Test("a deletion that is cancelled leaves every object")
    func cancelled() throws {
        let (file, realm) = try filled()
        let before = try contents(file)

        realm.beginWrite()
        realm.delete(realm.objects(SubsetLeaf.self))
        #expect(realm.objects(SubsetLeaf.self).isEmpty)
        realm.cancelWrite()

        #expect(realm.objects(SubsetLeaf.self).count == 30)
        #expect(try contents(file) == before)
    }
}
