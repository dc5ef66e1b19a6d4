import EventModelTesting
import Foundation
import ObjectStoreTesting

@testable import ObjectStore

/// Changes of every kind to the sample classes, which follow from a seed and from what the realm holds.
///
/// The same changes to equal realms give equal realms, down to the rows of their files.
struct RandomChanges {
    private var generator: SeededGenerator
    private let realm: Realm

    init(seed: UInt64, _ realm: Realm) {
        generator = SeededGenerator(seed: seed)
        self.realm = realm
    }

    /// Makes some changes, inside a write.
    mutating func apply(_ count: Int) {
        for _ in 0..<count { apply() }
    }

    private mutating func apply() {
        switch generator.below(20) {
        case 0...2: realm.add(Person.numbered(newNumber()))
        case 3, 4: changePerson()
        case 5: if let person = person() { realm.delete(person) }
        case 6, 7: addHome()
        case 8, 9: changeObjects()
        case 10, 11: changeValues()
        case 12: changeEmbedded()
        case 13: if let home = home() { realm.delete(home) }
        case 14, 15: changeGraph()
        case 16: addEverything()
        case 17: changeEverything()
        case 18: deleteMany()
        default: createAgain()
        }
    }

    // MARK: Finding

    /// A number that no object has; taken from the realm, so that it goes on where the last transaction ended.
    private func newNumber() -> Int {
        let counter = realm.create(Counter.self, value: ["name": "numbers"], update: .modified)
        counter.value += 1
        return counter.value
    }

    private mutating func oldNumber() -> Int {
        let last = realm.object(ofType: Counter.self, forPrimaryKey: "numbers")?.value ?? 0
        return generator.below(last + 1)
    }

    private mutating func person() -> Person? {
        realm.object(ofType: Person.self, forPrimaryKey: oldNumber())
    }

    private mutating func home() -> Home? {
        let homes = realm.objects(Home.self)
        return homes.isEmpty ? nil : homes[generator.below(homes.count)]
    }

    private mutating func node() -> Node? {
        let nodes = realm.objects(Node.self)
        return nodes.isEmpty ? nil : nodes[generator.below(nodes.count)]
    }

    private mutating func address() -> Address {
        Address(value: ["street": "Street \(generator.below(100))", "city": generator.below(2) == 0 ? nil : "Town"])
    }

    // MARK: Changing

    private mutating func changePerson() {
        guard let person = person() else { return }
        person.name = String(repeating: "é", count: generator.below(50))
        person.score = Double(generator.below(1000)) / 7
        person.userId = generator.below(2) == 0 ? nil : "someone"
        person["active"] = generator.below(2) == 0
    }

    private mutating func createAgain() {
        let policy: Realm.UpdatePolicy = generator.below(2) == 0 ? .all : .modified
        realm.create(Person.self, value: ["_id": oldNumber(), "name": "again"], update: policy)
        realm.add(Person.numbered(oldNumber()), update: policy)
    }

    private mutating func addHome() {
        let number = newNumber()
        let home = Home(value: ["name": "Home \(number)", "tags": ["a", "b"], "ratings": [1, nil, 3]])
        home.owner = person()
        home.address = address()
        home.watchdog = Dog(value: ["name": "Dog \(number)", "age": number % 20])
        home.formerAddresses.append(objectsIn: [address(), address()])
        realm.add(home)
        for _ in 0..<generator.below(4) { if let person = person() { home.people.append(person) } }
        home.dogs.append(objectsIn: [Dog(), Dog(value: ["name": "Rex", "age": generator.below(20)])])
    }

    private mutating func changeObjects() {
        guard let home = home() else { return }
        home.owner = person()
        if let person = person() { home.people.insert(person, at: generator.below(home.people.count + 1)) }
        if home.people.count > 1 {
            home.people.swapAt(generator.below(home.people.count), generator.below(home.people.count))
            home.people.move(from: generator.below(home.people.count), to: generator.below(home.people.count))
            home.people.remove(at: generator.below(home.people.count))
        }
        if generator.below(4) == 0 { home.dogs.removeAll() }
        if generator.below(3) == 0 { home.watchdog = nil }
    }

    private mutating func changeValues() {
        guard let home = home() else { return }
        home.tags.append("tag \(generator.below(10))")
        home.tags.replaceSubrange(0..<generator.below(home.tags.count), with: ["x", "y"])
        if home.tags.count > 12 { home.tags.removeLast(6) }
        home.ratings.insert(generator.below(2) == 0 ? nil : generator.below(9), at: 0)
        if home.ratings.count > 5 { home.ratings.removeFirst(3) }
    }

    private mutating func changeEmbedded() {
        guard let home = home() else { return }
        home.address?.street = "Renamed \(generator.below(100))"
        if generator.below(2) == 0 { home.address = generator.below(3) == 0 ? nil : address() }
        home.formerAddresses.append(address())
        // An error skips the changes after it, so that the list may be empty nevertheless.
        if generator.below(2) == 0, !home.formerAddresses.isEmpty {
            home.formerAddresses.remove(at: generator.below(home.formerAddresses.count))
        }
        if let first = home.formerAddresses.first, generator.below(3) == 0 { realm.delete(first) }
    }

    private mutating func changeGraph() {
        let node = Node(value: ["id": "Node \(newNumber())"])
        node.next = self.node() ?? node
        if let other = self.node() { node.children.append(objectsIn: [other, node, other]) }
        realm.add(node)
        if generator.below(3) == 0, let other = self.node() { realm.delete(other) }
    }

    private mutating func addEverything() {
        let everything = Everything()
        // Values that would be random or the time of day by default.
        everything.id = ObjectId(high: UInt64(newNumber()), low: 0)
        everything.uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(generator.below(256))))
        everything.date = Date(timeIntervalSinceReferenceDate: Double(generator.below(100_000)))
        everything.data = Data(repeating: UInt8(generator.below(256)), count: generator.below(3000))
        realm.add(everything)
    }

    private mutating func changeEverything() {
        let all = realm.objects(Everything.self)
        guard !all.isEmpty else { return }
        let everything = all[generator.below(all.count)]
        everything.int8 = Int8(truncatingIfNeeded: generator.below(256))
        everything.double = generator.below(4) == 0 ? .nan : -.infinity
        everything.float = Float(generator.below(100)) / 3
        everything.decimal = Decimal128(Int64(generator.below(1000)))
        everything.ward = .intensiveCare
        everything.triage = generator.below(2) == 0 ? .red : .green
        everything.optionalData = generator.below(2) == 0 ? nil : Data([1, 2, 3])
        everything.optionalDecimal = generator.below(2) == 0 ? nil : 1
    }

    private mutating func deleteMany() {
        let age = generator.below(20)
        realm.delete(realm.objects(Dog.self).where { $0.age == age })
        if generator.below(3) == 0, let home = home() { realm.delete(home.people) }
        if generator.below(3) == 0, let home = home() { realm.delete(home.formerAddresses) }
    }
}
