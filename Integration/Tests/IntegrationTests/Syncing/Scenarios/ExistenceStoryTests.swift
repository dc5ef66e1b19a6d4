import Daybook
import Testing

@MainActor
@Suite("Scenarios on real files: existence", .withServer, .serialized, .timeLimit(.minutes(10)))
struct ExistenceStoryTests {
    /// A person who has a name.
    private let old: Story.Work = { $0.add(ScenarioPerson(1, name: "old")) }

    @Test("S13, S14, S15: a deletion wins over every write of those who had not heard of it")
    func deletion() async throws {
        try await Story.tell("S13", is: []) { story in
            try await story.a { $0.delete(try $0.person()) }
            try await story.b { try $0.person().name = "b" }
            guard story.first == .a else { return }
            try await story.meet()
            let error = await story.error(of: story.b)
            let info = try #require(error?.compensatingWriteInfo?.first)
            #expect(error?.code == .writeRejected && info.objectType == "ScenarioPerson" && info.primaryKey == .int(1))
            #expect(info.reason.contains("deleted"), "\(info.reason)")
        } end: {
            $0.ids
        }
        try await Story.tell("S14", is: []) {
            try await $0.b { try $0.person().name = "b" }
            try await $0.a { $0.delete(try $0.person()) }
        } end: {
            $0.ids
        }
        try await Story.tell("S15", is: []) {
            try await $0.a { $0.delete(try $0.person()) }
            try await $0.b { $0.delete(try $0.person()) }
        } end: {
            $0.ids
        }
    }

    @Test("S16, S17: two creations are one object, with the later values and the elements of both")
    func twoCreations() async throws {
        try await Story.tell("S16, S17", is: ["b", "7", "a", "b"]) {
            try await $0.a {
                let made = $0.create(ScenarioPerson.self, value: ["_id": 9, "name": "a", "age": 7] as [String: Any])
                made.words.append("a")
            }
            try await $0.b {
                let made = $0.create(ScenarioPerson.self, value: ["_id": 9, "name": "b"] as [String: Any])
                made.words.append("b")
            }
        } end: { realm in
            let person = try realm.person(9)
            return [person.name ?? "-", "\(person.age)"] + Array(person.words)
        }
    }

    @Test("S18: a creation and deletion delete the object that another device creates later without knowing of them")
    func createdAndDeleted() async throws {
        try await Story.tell("S18", is: [1]) {
            try await $0.a { $0.add(ScenarioPerson(9, name: "a")) }
            try await $0.a { $0.delete(try $0.person(9)) }
            try await $0.b { $0.add(ScenarioPerson(9, name: "b")) }
        } end: {
            $0.ids
        }
    }

    @Test("S19: an object that two devices made anew is one, with the later value")
    func bothAnew() async throws {
        func anew(_ age: Int) -> Story.Work {
            { realm in
                realm.delete(try realm.person())
                realm.create(ScenarioPerson.self, value: ["_id": 1, "age": age])
            }
        }
        try await Story.tell("S19", is: 2) {
            try await $0.a(anew(11))
            try await $0.b(anew(2))
        } end: {
            try $0.person().age
        }
    }

    @Test("S20: an object that is created anew has nothing of the old one")
    func anew() async throws {
        try await Story.tell("S20", is: "- 3", from: old) {
            try await $0.a { $0.delete(try $0.person()) }
            try await $0.meet()
            try await $0.b { $0.create(ScenarioPerson.self, value: ["_id": 1, "age": 3]) }
        } end: {
            "\(try $0.person().name ?? "-") \(try $0.person().age)"
        }
    }

    @Test("S21, S22: what was meant for the old object reaches the new one neither as a write nor as a deletion")
    func formerObject() async throws {
        func anew(_ story: Story) async throws {
            try await story.a { $0.delete(try $0.person()) }
            try await story.a { $0.add(ScenarioPerson(1, name: "new")) }
        }
        try await Story.tell("S21", is: "new", from: old) {
            try await anew($0)
            try await $0.b { try $0.person().name = "of the old one" }
        } end: {
            try $0.person().name
        }
        try await Story.tell("S22", is: "new", from: old) {
            try await anew($0)
            try await $0.b { $0.delete(try $0.person()) }
        } end: {
            try $0.person().name
        }
    }

    @Test("S23: a deletion of all objects leaves the one that another device creates")
    func deleteAll() async throws {
        try await Story.tell("S23", is: [9]) {
            try await $0.a { $0.delete($0.objects(ScenarioPerson.self)) }
            try await $0.b { $0.add(ScenarioPerson(9)) }
        } end: {
            $0.ids
        }
    }
}
