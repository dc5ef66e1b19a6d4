import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

/// What compiles here is part of what is tested: an actor that keeps its realm, in the strictest language mode.
private actor Ward {
    // Programs write it so, because the realm needs the actor, which must be whole before that.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    var realm: Realm!
    private var tallest: Person?

    init(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm(configuration: configuration, actor: self)
    }

    var count: Int { realm.objects(Person.self).count }

    func admit(_ number: Int) async throws {
        try await realm.asyncWrite { realm.add(Person.numbered(number)) }
    }

    /// Uses the object after the block that adds it.
    func admitAndRename(_ number: Int) throws -> String {
        let person = Person.numbered(number)
        try realm.write { realm in realm.add(person) }
        try realm.write { realm in person.name += "!" }
        tallest = person
        return person.name
    }

    func admitShort(_ number: Int) throws {
        let person = Person.numbered(number)
        try realm.write { $0.add(person) }
        tallest = person
    }

    func refreshed() async -> Bool { await realm.asyncRefresh() }

    func sameInstance() async throws -> Bool {
        try await Realm.open(configuration: realm.configuration) == realm
    }

    func observeLeak() -> () -> Realm? { { [weak self] in self == nil ? nil : nil } }
}

@Suite("The realm of an actor")
struct ActorTests {
    private let file: TemporaryRealm

    init() throws { file = try TemporaryRealm() }

    @Test("an actor keeps a realm, writes with and without waiting, and uses objects after the block")
    func ward() async throws {
        let ward = try await Ward(file.configuration)

        try await ward.admit(1)
        #expect(try await ward.admitAndRename(2) == "Person 2!")
        try await ward.admitShort(3)

        #expect(await ward.count == 3)
        #expect(try await ward.sameInstance())
        #expect(await ward.refreshed() == false)
    }

    @Test("R1: two actors have an instance each, and see each other's commits in the next turn")
    func twoActors() async throws {
        let first = try await Ward(file.configuration)
        let second = try await Ward(file.configuration)
        #expect(await second.count == 0)

        try await first.admit(1)

        #expect(await second.count == 1)
    }

    @Test("an actor that keeps its realm does not live for ever")
    func noCycle() async throws {
        weak var gone: Ward?
        do {
            let ward = try await Ward(file.configuration)
            try await ward.admit(1)
            gone = ward
        }
        // The end of the last turn is the last that holds it.
        for _ in 0..<1000 where gone != nil { await Task.yield() }
        #expect(gone == nil)
    }

    @Test("many tasks increment one counter through an actor")
    func counting() async throws {
        let ward = try await Ward(file.configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<30 { group.addTask { try await ward.admit(number) } }
            try await group.waitForAll()
        }
        #expect(await ward.count == 30)
    }

    @Test("R3: an actor's realm used elsewhere ends the process and names the realm")
    func isolation() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            let ward = try await Ward(file.configuration)
            // SAFETY: nothing guards it: using the realm off its actor is the mistake that must trap.
            nonisolated(unsafe) let realm: Realm = await ward.stolen()
            await Task.detached { print(realm.isEmpty) }.value
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("belongs to the actor 'Ward'"), "\(text.prefix(500))")
    }
}

extension Ward {
    /// Hands the realm out, which the compiler would not allow without this lie.
    fileprivate func stolen() -> sending Realm {
        // SAFETY: nothing guards it; see the test.
        nonisolated(unsafe) let realm: Realm = realm
        return realm
    }
}
