import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Equality of unmanaged collections")
struct UnmanagedEqualityTests {
    @Test("lists of equal elements in the same order are equal, and have one hash")
    func lists() {
        let list: List<Int> = [1, 2]
        let same: List<Int> = [1, 2]
        let turned: List<Int> = [2, 1]
        #expect(list == same && list.hashValue == same.hashValue)
        #expect(list != turned)
        #expect(list != [1])
        #expect(List<Double>([.nan]) == List<Double>([.nan]))
    }

    @Test("sets are equal in any order, maps by their entries")
    func setsAndMaps() {
        let set: MutableSet<String> = ["a", "b"]
        let turned: MutableSet<String> = ["b", "a"]
        #expect(set == turned && set != ["a"])
        let map: Map<String, Int> = ["a": 1, "b": 2]
        let same: Map<String, Int> = ["b": 2, "a": 1]
        let other: Map<String, Int> = ["b": 2, "a": 2]
        #expect(map == same && map.hashValue == same.hashValue)
        #expect(map != other)
    }

    @Test("objects are equal elements when they are the same object")
    func objects() {
        let dog = Dog()
        let list: List<Dog> = [dog]
        #expect(list == [dog])
        #expect(list != [Dog()])
    }

    @Test("a managed collection equals the one of the same object and no unmanaged one")
    func managed() throws {
        let realm = try TemporaryRealm().open()
        let (home, other) = try realm.write { realm in
            (
                realm.create(Home.self, value: ["name": "a", "tags": ["x"]]),
                realm.create(Home.self, value: ["name": "b", "tags": ["x"]])
            )
        }
        #expect(home.tags == home.tags)
        #expect(home.tags != other.tags)
        #expect(home.tags != ["x"])
    }
}

extension List {
    fileprivate convenience init(_ elements: [Element]) {
        self.init()
        append(objectsIn: elements)
    }
}
