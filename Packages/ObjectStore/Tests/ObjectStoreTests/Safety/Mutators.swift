import Foundation
import ObjectStoreTesting

@testable import ObjectStore

extension Mutator {
    /// Every entry of the interface that changes a realm.
    static let all: [Mutator] = realm + values + lists + sets + maps

    /// Those of a realm.
    static let realm: [Mutator] = [
        Mutator("add an object of 'Person'", "add") { $0.realm.add(Person.numbered(9)) },
        Mutator("add an object of 'Person'", "add, update") {
            $0.realm.add(Person(value: ["_id": 1, "name": "x"]), update: .modified)
        },
        Mutator("add an object of 'Dog'", "add several") { $0.realm.add([Dog(), Dog()]) },
        Mutator("create an object of 'Person'", "create") { $0.realm.create(Person.self, value: ["_id": 9]) },
        Mutator("create an object of 'Person'", "create, update") {
            $0.realm.create(Person.self, value: ["_id": 1, "name": "x"], update: .all)
        },
        Mutator("delete an object of 'Person'", "delete") { $0.realm.delete($0.person) },
        Mutator("delete an object of 'Address'", "delete embedded") { $0.realm.delete($0.address) },
        Mutator("delete an object of 'Person'", "delete several") { $0.realm.delete([$0.person]) },
        Mutator("delete a collection of 'Person'", "delete results") { $0.realm.delete($0.realm.objects(Person.self)) },
        Mutator("delete a collection of 'Dog'", "delete list") { $0.realm.delete($0.home.dogs) },
        Mutator("delete a collection of 'Dog'", "delete set") { $0.realm.delete($0.cattery.residents) },
        Mutator("delete the objects of a map of 'Dog'", "delete map") { $0.realm.delete($0.cattery.guests) },
        Mutator("delete all objects", "deleteAll") { $0.realm.deleteAll() },
    ]

    /// Those of properties.
    static let values: [Mutator] = [
        Mutator("set 'Person.name'", "String") { $0.person.name = "x" },
        Mutator("set 'Person.employeeId'", "Int") { $0.person.employeeId = 5 },
        Mutator("set 'Person.score'", "Double") { $0.person.score = 5 },
        Mutator("set 'Person.active'", "Bool") { $0.person.active = true },
        Mutator("set 'Person.userId'", "String?") { $0.person.userId = nil },
        Mutator("set 'Everything.int8'", "Int8") { $0.everything.int8 = 5 },
        Mutator("set 'Everything.float'", "Float") { $0.everything.float = 5 },
        Mutator("set 'Everything.date'", "Date") { $0.everything.date = Date(timeIntervalSinceReferenceDate: 5) },
        Mutator("set 'Everything.data'", "Data") { $0.everything.data = Data([5]) },
        Mutator("set 'Everything.uuid'", "UUID") { $0.everything.uuid = UUID() },
        Mutator("set 'Everything.decimal'", "Decimal128") { $0.everything.decimal = 5 },
        Mutator("set 'Everything.ward'", "enum") { $0.everything.ward = .intensiveCare },
        Mutator("set 'Everything.optionalWard'", "enum?") { $0.everything.optionalWard = .intensiveCare },
        Mutator("set 'Everything.optionalObjectId'", "ObjectId?") { $0.everything.optionalObjectId = ObjectId() },
        Mutator("set 'Home.owner'", "link") { $0.home.owner = nil },
        Mutator("set 'Home.address'", "embedded object") { $0.home.address = Address() },
        Mutator("set 'Address.street'", "of an embedded object") { $0.address.street = "x" },
        Mutator("set 'Person.name'", "setValue(_:forKey:)") { $0.person.setValue("x", forKey: "name") },
        Mutator("set 'Person.name'", "subscript") { $0.person["name"] = "x" },
        Mutator("set 'Home.tags'", "list by key") { $0.home["tags"] = ["x"] },
        Mutator("change the list 'Home.tags'", "list assigned") { $0.home.tags = ["x"] },
        Mutator("change the set 'Cattery.colours'", "set assigned") { $0.cattery.colours = ["x"] },
        Mutator("change the dictionary 'Cattery.prices'", "map assigned") { $0.cattery.prices = ["x": 5] },
    ]

    /// Those of lists.
    static let lists: [Mutator] = [
        Mutator("change the list 'Home.tags'", "append") { $0.home.tags.append("x") },
        Mutator("change the list 'Home.people'", "append new object") { $0.home.people.append(Person.numbered(9)) },
        Mutator("change the list 'Home.formerAddresses'", "append embedded") {
            $0.home.formerAddresses.append(Address())
        },
        Mutator("change the list 'Home.tags'", "append(objectsIn:)") { $0.home.tags.append(objectsIn: ["x", "y"]) },
        Mutator("change the list 'Home.tags'", "insert") { $0.home.tags.insert("x", at: 1) },
        Mutator("change the list 'Home.tags'", "insert(contentsOf:)") { $0.home.tags.insert(contentsOf: ["x"], at: 0) },
        Mutator("change the list 'Home.tags'", "remove(at:)") { $0.home.tags.remove(at: 0) },
        Mutator("change the list 'Home.tags'", "removeFirst") { $0.home.tags.removeFirst() },
        Mutator("change the list 'Home.tags'", "removeFirst(_:)") { $0.home.tags.removeFirst(2) },
        Mutator("change the list 'Home.tags'", "removeLast") { $0.home.tags.removeLast() },
        Mutator("change the list 'Home.tags'", "removeLast(_:)") { $0.home.tags.removeLast(2) },
        Mutator("change the list 'Home.tags'", "removeAll") { $0.home.tags.removeAll() },
        Mutator("change the list 'Home.people'", "replace") {
            $0.home.people.replace(index: 0, object: $0.home.people[1])
        },
        Mutator("change the list 'Home.tags'", "replaceSubrange") {
            $0.home.tags.replaceSubrange(0..<2, with: ["x", "y", "z"])
        },
        Mutator("change the list 'Home.tags'", "subscript") { $0.home.tags[0] = "x" },
        Mutator("change the list 'Home.people'", "move") { $0.home.people.move(from: 0, to: 2) },
        Mutator("change the list 'Home.people'", "swapAt") { $0.home.people.swapAt(0, 2) },
    ]

    /// Those of sets.
    static let sets: [Mutator] = [
        Mutator("change the set 'Cattery.colours'", "insert") { $0.cattery.colours.insert("x") },
        Mutator("change the set 'Cattery.residents'", "insert new object") { $0.cattery.residents.insert(Dog()) },
        Mutator("change the set 'Cattery.colours'", "insert(objectsIn:)") {
            $0.cattery.colours.insert(objectsIn: ["x"])
        },
        Mutator("change the set 'Cattery.colours'", "remove") { $0.cattery.colours.remove("red") },
        Mutator("change the set 'Cattery.colours'", "removeAll") { $0.cattery.colours.removeAll() },
        Mutator("change the set 'Cattery.colours'", "formUnion") { $0.cattery.colours.formUnion(["x"]) },
        Mutator("change the set 'Cattery.colours'", "formIntersection") {
            $0.cattery.colours.formIntersection(["red"])
        },
        Mutator("change the set 'Cattery.colours'", "subtract") { $0.cattery.colours.subtract(["red"]) },
    ]

    /// Those of maps.
    static let maps: [Mutator] = [
        Mutator("change the dictionary 'Cattery.prices'", "subscript") { $0.cattery.prices["x"] = 5 },
        Mutator("change the dictionary 'Cattery.prices'", "subscript nil") { $0.cattery.prices["a"] = nil },
        Mutator("change the dictionary 'Cattery.guests'", "new object") { $0.cattery.guests["x"] = Dog() },
        Mutator("change the dictionary 'Cattery.branches'", "embedded") { $0.cattery.branches["x"] = Address() },
        Mutator("change the dictionary 'Cattery.prices'", "updateValue") {
            $0.cattery.prices.updateValue(5, forKey: "x")
        },
        Mutator("change the dictionary 'Cattery.prices'", "removeObject") { $0.cattery.prices.removeObject(for: "a") },
        Mutator("change the dictionary 'Cattery.prices'", "removeAll") { $0.cattery.prices.removeAll() },
        Mutator("change the dictionary 'Cattery.prices'", "merge") { fixture in
            fixture.cattery.prices.merge([(key: "x", value: 5.0)]) { $1 }
        },
        Mutator("change the dictionary 'Cattery.prices'", "setValue") { $0.cattery.prices.setValue(5, forKey: "x") },
        Mutator("change the dictionary 'Cattery.prices'", "setValue nil") {
            $0.cattery.prices.setValue(nil, forKey: "a")
        },
    ]
}
