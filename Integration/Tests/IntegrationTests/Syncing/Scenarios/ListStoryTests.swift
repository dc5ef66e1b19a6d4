import Daybook
import Testing

@MainActor
@Suite("Scenarios on real files: lists", .withServer, .serialized, .timeLimit(.minutes(10)))
struct ListStoryTests {
    /// Tells what two devices do with one list of words.
    private func tell(
        _ name: String,
        is expected: String,
        from words: String,
        at location: SourceLocation = #_sourceLocation,
        _ story: (Story) async throws -> Void
    ) async throws {
        let base: Story.Work = { realm in
            let person = ScenarioPerson(1)
            realm.add(person)
            person.words.append(objectsIn: words.map(String.init))
        }
        try await Story.tell(name, is: expected, from: base, at: location, story) { try $0.person().words.joined() }
    }

    @Test("S33 to S35: what two devices append stands in the order of time, runs unbroken")
    func appends() async throws {
        try await tell("S34", is: "1223", from: "") {
            try await $0.a { try $0.person().words.append("1") }
            try await $0.b { try $0.person().words.append(objectsIn: ["2", "2"]) }
            try await $0.a { try $0.person().words.append("3") }
        }
    }

    @Test(
        "S36, S37: insertions at one place stand in the order of time, before what was there and what they were put before"
    )
    func insertions() async throws {
        try await tell("S36", is: "ABx", from: "x") {
            try await $0.a { try $0.person().words.insert("A", at: 0) }
            try await $0.b { try $0.person().words.insert("B", at: 0) }
        }
        try await tell("S37", is: "21Y", from: "") {
            try await $0.a { try $0.person().words.insert("1", at: 0) }
            try await $0.b { try $0.person().words.insert("Y", at: 0) }
            try await $0.a { try $0.person().words.insert("2", at: 0) }
        }
    }

    @Test("S38 to S40: what is removed is gone once, for everybody, and what was put before it stays there")
    func removals() async throws {
        try await tell("S38", is: "xAz", from: "xyz") {
            try await $0.a { try $0.person().words.insert("A", at: 1) }
            try await $0.b { try $0.person().words.remove(at: 1) }
        }
        try await tell("S39", is: "xz", from: "xyz") {
            try await $0.a { try $0.person().words.remove(at: 1) }
            try await $0.b { try $0.person().words.remove(at: 1) }
        }
        try await tell("S40", is: "xz", from: "xyz") {
            try await $0.a { try $0.person().words.remove(at: 1) }
            try await $0.b { try $0.person().words[1] = "B" }
        }
    }

    @Test("S41, S42: a value goes with its element, and of two the later one")
    func values() async throws {
        try await tell("S41", is: "xBz", from: "xyz") {
            try await $0.a { try $0.person().words[1] = "A" }
            try await $0.b { try $0.person().words[1] = "B" }
        }
        try await tell("S42", is: "Bz", from: "xyz") {
            try await $0.a { try $0.person().words.remove(at: 0) }
            try await $0.b { try $0.person().words[1] = "B" }
        }
    }

    @Test("S43 to S46: a moved element is there once, at its later place, with its later value, or not at all")
    func moves() async throws {
        try await tell("S43", is: "yxz", from: "xyz") {
            try await $0.a { try $0.person().words.move(from: 1, to: 2) }
            try await $0.b { try $0.person().words.move(from: 1, to: 0) }
        }
        try await tell("S44", is: "yz", from: "xyz") {
            try await $0.a { try $0.person().words.move(from: 0, to: 2) }
            try await $0.b { try $0.person().words.remove(at: 0) }
        }
        try await tell("S45", is: "yzB", from: "xyz") {
            try await $0.a { try $0.person().words.move(from: 0, to: 2) }
            try await $0.b { try $0.person().words[0] = "B" }
        }
        // Each stands before the place at which its author saw the other one.
        try await tell("S46", is: "xwy", from: "ywx") {
            try await $0.a { try $0.person().words.move(from: 2, to: 0) }
            try await $0.b { try $0.person().words.move(from: 0, to: 1) }
        }
    }

    @Test("S47 to S50: a list that is emptied or assigned loses what is older than that, and nothing else")
    func clearings() async throws {
        try await tell("S47", is: "56", from: "12") {
            try await $0.a { realm in
                try realm.person().words.removeAll()
                try realm.person().words.append(objectsIn: ["3", "4"])
            }
            try await $0.b { realm in
                try realm.person().words.removeAll()
                try realm.person().words.append(objectsIn: ["5", "6"])
            }
        }
        try await tell("S48", is: "7", from: "12") {
            try await $0.a { try $0.person().words.removeAll() }
            try await $0.b { try $0.person().words.append("7") }
        }
        try await tell("S49", is: "", from: "12") {
            try await $0.b { try $0.person().words.append("7") }
            try await $0.a { try $0.person().words.removeAll() }
        }
        try await tell("S50", is: "cd", from: "12") {
            try await $0.a { $0.create(ScenarioPerson.self, value: Self.words("ab"), update: .all) }
            try await $0.b { $0.create(ScenarioPerson.self, value: Self.words("cd"), update: .all) }
        }
    }

    private static func words(_ text: String) -> [String: Any] { ["_id": 1, "words": text.map(String.init)] }

    @Test("S51, S53: equal elements are told apart, and an object that is added twice is there twice")
    func equalElements() async throws {
        try await tell("S51", is: "1", from: "111") {
            try await $0.a { try $0.person().words.remove(at: 0) }
            try await $0.b { try $0.person().words.remove(at: 2) }
        }
        try await Story.tell("S53", is: [9, 9]) {
            try await $0.a { realm in
                let made = ScenarioPerson(9)
                try realm.person().friends.append(objectsIn: [made, made])
            }
        } end: {
            Array(try $0.person().friends.map(\._id))
        }
    }

    @Test("S52: two elements that change places are there once, and what is appended stands at the end")
    func swapped() async throws {
        try await tell("S52", is: "zyxB", from: "xyz") {
            try await $0.a { try $0.person().words.swapAt(0, 2) }
            try await $0.b { try $0.person().words.append("B") }
        }
    }

    @Test("what is put in front of an element that goes, before one that is moved then, does not follow that one")
    func insertedBeforeMoved() async throws {
        let story: Story.Work = { realm in
            let words = try realm.person().words
            words.insert("x", at: 1)
            words.move(from: 3, to: 4)
        }
        try await tell("inserted before what went", is: "axdc", from: "abcd") {
            try await $0.a(story)
            try await $0.b { try $0.person().words.remove(at: 1) }
        }
        try await tell("inserted before what moved", is: "axbdc", from: "abcd") {
            try await $0.a(story)
            try await $0.b { try $0.person().words.move(from: 1, to: 2) }
        }
    }

    @Test("S54: thousands of appends of each are all there, by time")
    func thousands() async throws {
        let (many, all) = (1000, String(repeating: "A", count: 1000) + String(repeating: "B", count: 1000))
        try await tell("S54", is: all, from: "") {
            try await $0.a { try $0.person().words.append(objectsIn: [String](repeating: "A", count: many)) }
            try await $0.b { try $0.person().words.append(objectsIn: [String](repeating: "B", count: many)) }
        }
    }

    @Test("S73: a property in an embedded element goes with its element")
    func embedded() async throws {
        let base: Story.Work = { realm in
            let person = ScenarioPerson(1)
            realm.add(person)
            person.addresses.append(objectsIn: [ScenarioAddress("1", "x"), ScenarioAddress("2", "y")])
        }
        try await Story.tell("S73", is: ["1, x"], from: base) {
            try await $0.a { try $0.person().addresses.remove(at: 1) }
            try await $0.b { try $0.person().addresses[1].city = "B" }
        } end: {
            Array(try $0.person().addresses.map(\.text))
        }
        try await Story.tell("S73 inserted", is: ["0, a", "1, x", "2, B"], from: base) {
            try await $0.a { try $0.person().addresses.insert(ScenarioAddress("0", "a"), at: 0) }
            try await $0.b { try $0.person().addresses[1].city = "B" }
        } end: {
            Array(try $0.person().addresses.map(\.text))
        }
    }
}
