import Daybook
import Testing

@MainActor
@Suite(
    "Scenarios on real files: sets, maps, embedded objects, values",
    .withServer,
    .serialized,
    .timeLimit(.minutes(10))
)
struct CollectionStoryTests {
    @Test("S55, S56, S57: of an insertion and a removal of one member the later one holds")
    func sets() async throws {
        try await Story.tell("S55", is: ["Hello", "World"]) {
            try await $0.a { try $0.person().tags.insert(objectsIn: ["999", "Hello"]) }
            try await $0.b { try $0.person().tags.insert(objectsIn: ["999", "World"]) }
            try await $0.b { try $0.person().tags.remove("999") }
        } end: {
            try $0.person().tags.sorted()
        }
        let member: Story.Work = { realm in
            realm.add(ScenarioPerson(1))
            try realm.person().tags.insert("x")
        }
        try await Story.tell("S56", is: [], from: member) {
            try await $0.a { try $0.person().tags.remove("x") }
            try await $0.b { try $0.person().tags.insert("x") }
        } end: {
            try $0.person().tags.sorted()
        }
        try await Story.tell("S57", is: [], from: member) {
            try await $0.a { try $0.person().tags.remove("x") }
            try await $0.b { try $0.person().tags.remove("x") }
        } end: {
            try $0.person().tags.sorted()
        }
    }

    @Test("S58 to S60: entries are merged key by key, and removing one is a write like others")
    func maps() async throws {
        let base: Story.Work = { realm in
            realm.add(ScenarioPerson(1))
            try realm.person().marks["k"] = 1
        }
        func marks(_ realm: Realm) throws -> [String] {
            try realm.person().marks.map { "\($0.key)\($0.value)" }.sorted()
        }
        try await Story.tell("S58", is: ["k2"], from: base) {
            try await $0.a { try $0.person().marks["k"] = nil }
            try await $0.b { try $0.person().marks["k"] = 2 }
        } end: {
            try marks($0)
        }
        try await Story.tell("S59", is: ["a1", "b2", "c1", "d2"]) {
            try await $0.a { realm in for key in ["a", "b", "c"] { try realm.person().marks[key] = 1 } }
            try await $0.b { realm in for key in ["b", "d"] { try realm.person().marks[key] = 2 } }
        } end: {
            try marks($0)
        }
        try await Story.tell("S60", is: ["later2"], from: base) {
            try await $0.a { try $0.person().marks.removeAll() }
            try await $0.b { try $0.person().marks["later"] = 2 }
        } end: {
            try marks($0)
        }
    }

    @Test("S61: keys that differ in Unicode form only are two keys, on all devices")
    func unicode() async throws {
        try await Story.tell("S61", is: [1, 2]) {
            try await $0.a { try $0.person().marks["e\u{301}"] = 1 }
            try await $0.b { try $0.person().marks["\u{e9}"] = 2 }
        } end: {
            try $0.person().marks.map(\.value).sorted()
        }
    }

    @Test("S69 to S72: an embedded object is merged by property, and is replaced whole")
    func embedded() async throws {
        let base: Story.Work = { realm in
            let person = ScenarioPerson(1)
            person.address = ScenarioAddress("street", "city")
            realm.add(person)
        }
        func address(_ realm: Realm) throws -> String? { try realm.person().address?.text }
        try await Story.tell("S69", is: "A, B", from: base) {
            try await $0.a { try $0.person().address?.street = "A" }
            try await $0.b { try $0.person().address?.city = "B" }
        } end: {
            try address($0)
        }
        try await Story.tell("S70", is: nil, from: base) {
            try await $0.a { try $0.person().address = nil }
            try await $0.b { try $0.person().address?.city = "B" }
        } end: {
            try address($0)
        }
        try await Story.tell("S71", is: "new, place", from: base) {
            try await $0.a { try $0.person().address = ScenarioAddress("new", "place") }
            try await $0.b { try $0.person().address?.city = "B" }
        } end: {
            try address($0)
        }
        try await Story.tell("S72", is: "B, b", from: base) {
            try await $0.a { try $0.person().address = ScenarioAddress("A", "a") }
            try await $0.b { try $0.person().address = ScenarioAddress("B", "b") }
        } end: {
            try address($0)
        }
    }

    @Test("S74, S76: a value of any type is replaced with its type")
    func anyValue() async throws {
        try await Story.tell("S74", is: "x") {
            try await $0.a { try $0.person().value = .int(5) }
            try await $0.b { try $0.person().value = .string("x") }
        } end: {
            try $0.person().value.stringValue
        }
        let base: Story.Work = { realm in
            realm.add(ScenarioPerson(1))
            let list = List<AnyRealmValue>()
            list.append(.int(1))
            try realm.person().value = .list(list)
        }
        try await Story.tell("S76", is: 5, from: base) {
            try await $0.a { try $0.person().value.listValue?.removeAll() }
            try await $0.b { try $0.person().value = .int(5) }
        } end: {
            try $0.person().value.intValue
        }
    }

    @Test("S75: two devices' keys in one dictionary are both there, and of two new dictionaries the later one is whole")
    func anyDictionary() async throws {
        func dictionary(_ key: String) -> AnyRealmValue {
            let map = Map<String, AnyRealmValue>()
            map[key] = .int(1)
            return .dictionary(map)
        }
        func keys(_ realm: Realm) throws -> [String] { try realm.person().value.dictionaryValue?.keys.sorted() ?? [] }
        let base: Story.Work = { realm in
            realm.add(ScenarioPerson(1))
            try realm.person().value = dictionary("k")
        }
        try await Story.tell("S75", is: ["a", "b", "k"], from: base) {
            try await $0.a { try $0.person().value.dictionaryValue?["a"] = .int(1) }
            try await $0.b { try $0.person().value.dictionaryValue?["b"] = .int(2) }
        } end: {
            try keys($0)
        }
        try await Story.tell("S75 assigned", is: ["b"]) {
            try await $0.a { try $0.person().value = dictionary("a") }
            try await $0.b { try $0.person().value = dictionary("b") }
        } end: {
            try keys($0)
        }
    }
}
