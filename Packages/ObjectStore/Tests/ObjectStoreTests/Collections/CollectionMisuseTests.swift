import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Misuse of collections")
struct CollectionMisuseTests {
    /// What a program may do wrong, and a part of what it is told.
    private static func expect(
        _ text: String,
        _ result: ExitTest.Result?,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains(text), sourceLocation: location)
    }

    @Test(
        "every change outside of a write traps",
        arguments: [
            "append", "insert", "remove", "removeAll", "replace", "move", "swapAt", "setInsert", "setRemove",
            "setRemoveAll", "formUnion", "formIntersection", "subtract", "updateValue", "removeObject", "mapRemoveAll",
            "setValue", "assignList", "assignSet", "assignMap",
        ]
    )
    func outsideOfWrite(_ name: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name] in
            let file = try ShelterRealm()
            let shelter = file.shelter
            try file.change { shelter in
                shelter.tags.append(objectsIn: ["a", "b"])
                shelter.cities.insert("x")
                shelter.parks["x"] = "y"
            }
            switch name {
            case "append": shelter.tags.append("x")
            case "insert": shelter.tags.insert("x", at: 0)
            case "remove": shelter.tags.remove(at: 0)
            case "removeAll": shelter.tags.removeAll()
            case "replace": shelter.tags[0] = "x"
            case "move": shelter.tags.move(from: 0, to: 1)
            case "swapAt": shelter.tags.swapAt(0, 1)
            case "setInsert": shelter.cities.insert("y")
            case "setRemove": shelter.cities.remove("x")
            case "setRemoveAll": shelter.cities.removeAll()
            case "formUnion": shelter.cities.formUnion(MutableSet())
            case "formIntersection": shelter.cities.formIntersection(MutableSet())
            case "subtract": shelter.cities.subtract(MutableSet())
            case "updateValue": shelter.parks.updateValue("x", forKey: "y")
            case "removeObject": shelter.parks["x"] = nil
            case "mapRemoveAll": shelter.parks.removeAll()
            case "setValue": shelter.parks.setValue("x", forKey: "y")
            case "assignList": shelter.tags = List()
            case "assignSet": shelter.cities = MutableSet()
            default: shelter.parks = Map()
            }
        }
        Self.expect("outside of a write transaction", result)
    }

    @Test(
        "L1: places outside of a collection trap",
        arguments: (0..<12).map { ($0, true) } + [(0, false), (4, false), (11, false)]
    )
    func outOfBounds(_ number: Int, _ isManaged: Bool) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [isManaged, number] in
            let file = try ShelterRealm(isManaged: isManaged)
            try file.change { shelter in
                shelter.tags.append(objectsIn: ["a", "b"])
                shelter.cities.insert("x")
                switch number {
                case 0: _ = shelter.tags[2]
                case 1: _ = shelter.tags[-1]
                case 2: shelter.tags[2] = "x"
                case 3: shelter.tags.insert("x", at: 3)
                case 4: shelter.tags.remove(at: 2)
                case 5: shelter.tags.removeFirst(3)
                case 6: shelter.tags.removeLast(3)
                case 7: shelter.tags.removeSubrange(1..<3)
                case 8: shelter.tags.move(from: 0, to: 2)
                case 9: shelter.tags.swapAt(0, 2)
                case 10: shelter.tags.move(fromOffsets: [0], toOffset: 3)
                default: _ = shelter.cities[1]
                }
            }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            message.contains("of a list of 2") || message.contains("from a list of 2")
                || message.contains("of a set of 1")
        )
    }

    @Test("L13: a collection of a deleted object traps", arguments: ["list", "set", "map"])
    func deletedOwner(_ kind: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
            let file = try ShelterRealm()
            let (list, set, map) = (file.shelter.tags, file.shelter.cities, file.shelter.parks)
            try file.realm.write { realm in realm.delete(file.shelter) }
            switch kind {
            case "list": print(list.count)
            case "set": print(set.contains("x"))
            default: print(map["x"] as Any)
            }
        }
        Self.expect("was used after its object was deleted", result)
    }

    @Test("a keyed value of the wrong type traps while unmanaged")
    func unmanagedKeyedValue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Map<String, Int>().setValue("x", forKey: "y")
        }
        Self.expect("The value cannot be stored", result)
    }

    @Test("a changed collection of a deleted object dooms the transaction")
    func changedAfterDeletion() throws {
        let file = try ShelterRealm()
        let parks = file.shelter.parks
        let error = file.error { realm in
            realm.delete(file.shelter)
            parks["x"] = "y"
        }
        #expect(error?.code == .invalidInput)
        #expect(file.realm.objects(Shelter.self).first?.parks.count == 0)
    }

    final class OptionalDogs: Object {
        @Persisted var dogs: List<Dog?>
        @Persisted var dogMap: Map<String, Dog>
        @Persisted var dogSet: MutableSet<Dog?>
        @Persisted var addresses: MutableSet<Address>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test("O11: objects of lists and sets are never optional, those of maps always, and embedded ones are in no set")
    func declarations() throws {
        let file = try TemporaryRealm([OptionalDogs.self, Dog.self, Address.self])
        let error = #expect(throws: Realm.Error.self) { _ = try file.open() }

        #expect(error?.details.count == 4)
        for name in ["dogs", "dogMap", "dogSet", "addresses"] {
            #expect(error?.details.contains { $0.contains("'OptionalDogs.\(name)'") } == true)
        }
    }
}
