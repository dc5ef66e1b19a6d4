import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Schemas")
struct SchemaTests {
    @Test("all problems of a schema are reported at once")
    func allProblems() throws {
        let file = try TemporaryRealm([TwoKeys.self, Empty.self, KeyedChild.self])

        let error = #expect(throws: Realm.Error.self) { try file.open() }

        #expect(error?.code == .invalidInput)
        #expect(
            error?.details.sorted() == [
                "The class 'Empty' has no persisted property.",
                "The class 'TwoKeys' has 2 primary keys: only one is possible.",
                "The embedded class 'KeyedChild' has a primary key: embedded objects have none.",
                "The property 'TwoKeys.flag' is a truth value and cannot be a primary key.",
            ]
        )
        #expect(!Realm.fileExists(for: file.configuration))
    }

    @Test("O11: embedded classes must not contain each other, however long the way is")
    func embeddedCycles() throws {
        let file = try TemporaryRealm([Root.self, Branch.self, Leaf.self, Fruit.self])

        let error = #expect(throws: Realm.Error.self) { try file.open() }

        #expect(
            error?.details == [
                "The embedded class 'Branch' contains itself.", "The embedded class 'Leaf' contains itself.",
            ]
        )
    }

    @Test("a list of classes must contain the targets of links")
    func unclosedTypes() throws {
        let file = try TemporaryRealm([Home.self, Dog.self])

        let error = #expect(throws: Realm.Error.self) { try file.open() }

        #expect(error?.details.count == 4)
        #expect(error?.details.allSatisfy { $0.contains("not in 'objectTypes'") } == true)
    }

    @Test("two classes of one name are refused")
    func sameName() throws {
        let file = try TemporaryRealm([First.Twin.self, Second.Twin.self])

        #expect(throws: Realm.Error(.invalidInput, "")) { try file.open() }
    }

    @Test("properties of superclasses come first")
    func inheritance() throws {
        let file = try TemporaryRealm([Parent.self, Child.self])
        let realm = try file.open()

        try realm.write { realm in realm.create(Child.self, value: ["a", 1, "b"] as [Any]) }

        let child = try #require(realm.objects(Child.self).first)
        #expect(child.first == "a")
        #expect(child.second == 1)
        #expect(child.third == "b")
        #expect(realm.objects(Parent.self).isEmpty)
    }

    @Test("a new class may be added to a file, and another be left out")
    func additiveChange() throws {
        let file = try TemporaryRealm([Person.self])
        do {
            let realm = try file.open()
            try realm.write { realm in realm.add(Person.numbered(1)) }
        }
        do {
            let realm = try file.open { $0.objectTypes = [Dog.self] }
            try realm.write { realm in realm.create(Dog.self, value: ["name": "Rex"]) }
        }

        let realm = try file.open { $0.objectTypes = [Person.self, Dog.self] }

        #expect(realm.objects(Person.self).count == 1)
        #expect(realm.objects(Dog.self).count == 1)
    }

    @Test("every other difference is listed, and the file stays as it is")
    func mismatch() throws {
        let file = try TemporaryRealm([Before.Thing.self])
        do { _ = try file.open() }

        let error = #expect(throws: Realm.Error.self) { try file.open { $0.objectTypes = [After.Thing.self] } }

        #expect(error?.code == .schemaMismatch)
        #expect(
            error?.details == [
                "The property 'Thing.changed' is optional string and was int.",
                "The property 'Thing.new' was added.",
                "The property 'Thing.old' was removed.",
            ]
        )
        #expect(throws: Never.self) { try file.open() }
    }

    @Test("a file with another schema can be deleted on request")
    func deleteIfNeeded() throws {
        let file = try TemporaryRealm([Before.Thing.self])
        do {
            let realm = try file.open()
            try realm.write { realm in realm.add(Before.Thing()) }
        }

        let realm = try file.open {
            $0.objectTypes = [After.Thing.self]
            $0.deleteRealmIfMigrationNeeded = true
        }

        #expect(realm.isEmpty)
    }

    @Test("a lower schema version than the file's is refused")
    func lowerVersion() throws {
        let file = try TemporaryRealm([Person.self]) { $0.schemaVersion = 3 }
        do { _ = try file.open() }

        #expect(throws: Realm.Error(.schemaMismatch, "")) { try file.open { $0.schemaVersion = 2 } }
    }
}

private class TwoKeys: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(primaryKey: true) var flag: Bool
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Empty: Object {
    var number = 1
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class KeyedChild: EmbeddedObject {
    @Persisted(primaryKey: true) var id: Int
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Root: Object {
    @Persisted var branches: List<Branch>
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Branch: EmbeddedObject {
    @Persisted var leaves: List<Leaf>
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Leaf: EmbeddedObject {
    @Persisted var branch: Branch?
    @Persisted var fruit: Fruit?
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Fruit: EmbeddedObject {
    @Persisted var root: Root?
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private enum First {
    class Twin: Object {
        @Persisted var number: Int
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

private enum Second {
    class Twin: Object {
        @Persisted var number: Int
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

private enum Before {
    class Thing: Object {
        @Persisted var same: Int
        @Persisted var changed: Int
        @Persisted var old: Int
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

private enum After {
    class Thing: Object {
        @Persisted var same: Int
        @Persisted var changed: String?
        @Persisted var new: Int
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

private class Parent: Object {
    @Persisted var first: String
    @Persisted var second: Int
}

private class Child: Parent {
    @Persisted var third: String
}
