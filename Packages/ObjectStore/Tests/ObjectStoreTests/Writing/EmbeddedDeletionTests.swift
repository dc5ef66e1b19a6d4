import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Deleting embedded objects that were found by their class")
struct EmbeddedDeletionTests {
    @Test("the parent loses it, whichever property holds it", arguments: ["one", "many", "named"])
    func parents(property: String) throws {
        let realm = try TemporaryRealm([Cabinet.self, Drawer.self]).open()
        let value: Any =
            switch property {
            case "one": ["label": "x"]
            case "many": [["label": "w"], ["label": "x"], ["label": "y"]]
            default: ["a": ["label": "w"], "b": ["label": "x"]]
            }
        let cabinet = try realm.write { realm in realm.create(Cabinet.self, value: [property: value]) }

        try realm.write { realm in realm.delete(realm.dynamicObjects("Drawer").filter("label == 'x'")) }

        #expect(cabinet.one == nil)
        #expect(cabinet.many.map(\.label) == (property == "many" ? ["w", "y"] : []))
        #expect(cabinet.named.keys == (property == "named" ? ["a", "b"] : []))
        #expect(cabinet.named["a"]??.label == (property == "named" ? "w" : nil))
        if property == "named" { #expect(cabinet.named["b"] == .some(nil)) }
        #expect(realm.dynamicObjects("Drawer").count == ["one": 0, "many": 2][property] ?? 1)
    }

    @Test("a single one that is read by its class is deleted in the same way")
    func single() throws {
        let realm = try TemporaryRealm([Cabinet.self, Drawer.self]).open()
        let cabinet = try realm.write { realm in realm.create(Cabinet.self, value: ["one": ["label": "x"]]) }
        let drawer = try #require(realm.dynamicObjects("Drawer").first)

        try realm.write { realm in realm.delete(drawer) }

        #expect(cabinet.one == nil && drawer.isInvalidated)
    }
}

private class Drawer: EmbeddedObject {
    @Persisted var label: String
}

private class Cabinet: Object {
    @Persisted var one: Drawer?
    @Persisted var many: List<Drawer>
    @Persisted var named: Map<String, Drawer?>
}
