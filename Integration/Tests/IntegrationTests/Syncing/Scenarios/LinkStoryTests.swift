import Daybook
import Testing

@MainActor
@Suite("Scenarios on real files: links", .withServer, .serialized, .timeLimit(.minutes(10)))
struct LinkStoryTests {
    /// Persons 1, 2 and 3.
    private let three: Story.Work = { realm in
        for id in 1...3 { realm.add(ScenarioPerson(id)) }
    }

    @Test("S25: the later link wins")
    func later() async throws {
        try await Story.tell("S25", is: 3, from: three) {
            try await $0.a { try $0.person().friend = try $0.person(2) }
            try await $0.b { try $0.person().friend = try $0.person(3) }
        } end: {
            try $0.person().friend?._id
        }
    }

    @Test("S26: a link that is later than the deletion of its target is null, and there when that is created anew")
    func hidden() async throws {
        func link(_ story: Story) async throws {
            try await story.a { $0.delete(try $0.person(2)) }
            try await story.b { try $0.person().friend = try $0.person(2) }
        }
        try await Story.tell("S26", is: nil, from: three) {
            try await link($0)
        } end: {
            try $0.person().friend?._id
        }
        try await Story.tell("S26 anew", is: 2, from: three) {
            try await link($0)
            try await $0.meet()
            try await $0.a { $0.add(ScenarioPerson(2)) }
        } end: {
            try $0.person().friend?._id
        }
    }

    @Test("S27, S31, S62: a deleted object is in no list and no set, and is null in a map, whose key stays")
    func collections() async throws {
        try await Story.tell("S27, S31, S62", is: #"[] [] ["k"] 0"#, from: three) {
            try await $0.a { $0.delete(try $0.person(2)) }
            try await $0.b { realm in
                let (person, target) = (try realm.person(), try realm.person(2))
                person.friends.append(target)
                person.circle.insert(target)
                person.contacts["k"] = target
            }
        } end: { realm in
            let person = try realm.person()
            let (friends, circle) = (person.friends.map(\._id), person.circle.map(\._id))
            return "\(Array(friends)) \(Array(circle)) \(person.contacts.keys) \(person.contacts["k"]??._id ?? 0)"
        }
    }

    @Test(
        "S28: a link that is older than the deletion is cleared by it, and stays null when its target is created anew"
    )
    func cleared() async throws {
        let linked: Story.Work = { realm in
            try three(realm)
            try realm.person().friend = try realm.person(2)
        }
        try await Story.tell("S28", is: nil, from: linked) {
            try await $0.a { $0.delete(try $0.person(2)) }
            try await $0.meet()
            try await $0.b { $0.add(ScenarioPerson(2)) }
        } end: {
            try $0.person().friend?._id
        }
    }

    @Test(
        "S29: a link to an object that is in no file is null, and shows when that object arrives, without a write of the link"
    )
    func notThere() async throws {
        try await Story.tell("S29", is: 9) { story in
            let stranger = ScenarioStranger(user: story.devices.users[2], partitionValue: story.partition)
            try await stranger.link(1, to: 9)
            try await story.meet()
            for realm in [story.a, story.b] { #expect(try realm.person().friend == nil) }
            try await story.b { $0.add(ScenarioPerson(9)) }
        } end: {
            try $0.person().friend?._id
        }
    }

    @Test("S30, S32: an object and the link to it arrive together, and a cycle is a cycle everywhere")
    func cycle() async throws {
        try await Story.tell("S30, S32", is: 9) {
            try await $0.a { realm in
                let (person, made) = (try realm.person(), ScenarioPerson(9))
                person.friend = made
                made.friend = person
            }
        } end: {
            try $0.person().friend?.friend?.friend?._id
        }
    }
}
