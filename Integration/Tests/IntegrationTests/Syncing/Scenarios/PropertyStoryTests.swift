import Daybook
import Testing

@MainActor
@Suite("Scenarios on real files: properties", .withServer, .serialized, .timeLimit(.minutes(10)))
struct PropertyStoryTests {
    /// A person who has a name.
    private let named: Story.Work = { $0.add(ScenarioPerson(1, name: "there")) }

    /// A base with one person who has something.
    private static func person(_ fill: @escaping (ScenarioPerson) -> Void) -> Story.Work {
        { realm in
            let person = ScenarioPerson(1)
            fill(person)
            realm.add(person)
        }
    }

    @Test("S1, S5: the later assignment wins, whoever is heard first")
    func later() async throws {
        try await Story.tell("S1", is: "b") {
            try await $0.a { try $0.person().name = "a" }
            try await $0.b { try $0.person().name = "b" }
        } end: {
            try $0.person().name
        }
        try await Story.tell("S5", is: "a") {
            try await $0.b { try $0.person().name = "b" }
            try await $0.a { try $0.person().name = "a" }
        } end: {
            try $0.person().name
        }
    }

    @Test("S2: assignments of two properties are both kept")
    func two() async throws {
        try await Story.tell("S2", is: "a 7") {
            try await $0.a { try $0.person().name = "a" }
            try await $0.b { try $0.person().age = 7 }
        } end: {
            "\(try $0.person().name ?? "-") \(try $0.person().age)"
        }
    }

    @Test("S6: a default is older than a given value, however late the object was created")
    func defaults() async throws {
        try await Story.tell("S6", is: "given") {
            try await $0.a { $0.create(ScenarioPerson.self, value: ["_id": 9, "nickname": "given"] as [String: Any]) }
            try await $0.b { $0.create(ScenarioPerson.self, value: ["_id": 9]) }
        } end: {
            try $0.person(9).nickname
        }
    }

    @Test("S8: texts are not merged")
    func texts() async throws {
        try await Story.tell("S8", is: "thereY", from: named) {
            try await $0.a { try $0.person().name = "thereX" }
            try await $0.b { try $0.person().name = "thereY" }
        } end: {
            try $0.person().name
        }
    }

    @Test("S9: assigning the value that is there is a write, and an update that changes nothing is none")
    func equalValue() async throws {
        try await Story.tell("S9", is: "there", from: named) {
            try await $0.b { try $0.person().name = "b" }
            try await $0.a { try $0.person().name = "there" }
        } end: {
            try $0.person().name
        }
        try await Story.tell("S9 modified", is: "b", from: named) {
            try await $0.b { try $0.person().name = "b" }
            try await $0.a {
                let value: [String: Any] = ["_id": 1, "name": "there"]
                $0.create(ScenarioPerson.self, value: value, update: .modified)
            }
        } end: {
            try $0.person().name
        }
    }

    @Test("S10, S11: null is a value, and of two assignments in one transaction the last one holds")
    func nullAndTwice() async throws {
        try await Story.tell("S10", is: nil) {
            try await $0.b { try $0.person().score = 5 }
            try await $0.a { try $0.person().score = nil }
        } end: {
            try $0.person().score
        }
        try await Story.tell("S11", is: "second") {
            try await $0.b { try $0.person().name = "b" }
            try await $0.a {
                try $0.person().name = "first"
                try $0.person().name = "second"
            }
        } end: {
            try $0.person().name
        }
    }

    @Test("S63, S64: increments are all counted, an assignment takes those before it")
    func increments() async throws {
        try await Story.tell("S63", is: 9) {
            try await $0.a { try $0.person().increment(\.age, by: 5) }
            try await $0.b { try $0.person().increment(\.age, by: 4) }
        } end: {
            try $0.person().age
        }
        try await Story.tell("S63, of an object that both create", is: 9) {
            try await $0.a { $0.create(ScenarioPerson.self, value: ["_id": 9]).increment(\.age, by: 5) }
            try await $0.b { $0.create(ScenarioPerson.self, value: ["_id": 9]).increment(\.age, by: 4) }
        } end: {
            try $0.person(9).age
        }
        try await Story.tell("S64", is: 103) {
            try await $0.b { try $0.person().increment(\.age, by: 2) }
            try await $0.a { try $0.person().age = 100 }
            try await $0.b { try $0.person().increment(\.age, by: 3) }
        } end: {
            try $0.person().age
        }
    }

    @Test("S65: null with an increment is null")
    func nullIncrement() async throws {
        try await Story.tell("S65", is: nil, from: Self.person { $0.score = 3 }) {
            try await $0.a { try $0.person().score = nil }
            try await $0.b { try $0.person().increment(\.score) }
        } end: {
            try $0.person().score
        }
    }

    @Test("S66: a default that is written later does not undo an increment")
    func defaultAndIncrement() async throws {
        try await Story.tell("S66", is: 1) {
            try await $0.a { $0.create(ScenarioPerson.self, value: ["_id": 9]) }
            try await $0.a { try $0.person(9).increment(\.age) }
            try await $0.b { $0.create(ScenarioPerson.self, value: ["_id": 9]) }
        } end: {
            try $0.person(9).age
        }
    }

    @Test("S67, S68: overflow wraps, and adding to what was read is an assignment")
    func overflow() async throws {
        try await Story.tell("S67", is: .min + 1, from: Self.person { $0.age = .max }) {
            try await $0.a { try $0.person().increment(\.age) }
            try await $0.b { try $0.person().increment(\.age) }
        } end: {
            try $0.person().age
        }
        try await Story.tell("S68", is: 1) {
            try await $0.a { try $0.person().age += 1 }
            try await $0.b { try $0.person().age += 1 }
        } end: {
            try $0.person().age
        }
    }
}
