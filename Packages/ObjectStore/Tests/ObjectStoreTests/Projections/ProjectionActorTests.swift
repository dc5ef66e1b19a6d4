import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Projections and sections on actors")
@MainActor
struct ProjectionActorTests {
    /// An actor that keeps what its handler was told, and writes with an instance of its own.
    private actor Listener {
        private(set) var texts: [String] = []

        func add(_ text: String) { texts.append(text) }

        func write(_ configuration: Realm.Configuration, _ change: @Sendable (Realm) -> Void) async throws {
            let realm = try await Realm(configuration: configuration, actor: self)
            await realm.asyncRefresh()
            try await realm.asyncWrite { change(realm) }
            await realm.asyncRefresh()
        }
    }

    @Test("a handler is given a projection of the actor's instance")
    func projection() async throws {
        let file = try Juggler.file()
        let realm = try file.open()
        try realm.write { Juggler.fill($0) }
        let act = try #require(realm.act(1))
        let listener = Listener()
        let token = await act.observe(keyPaths: [\Act.firstName], on: listener) { listener, change in
            listener.add(ProjectionNotificationTests.text(change))
        }

        try await listener.write(file.configuration) { $0.juggler(1)?.firstName = "Ida" }

        #expect(await listener.texts == ["Ida: firstName - Ida"])
        withExtendedLifetime(token) {}
    }

    @Test("a handler is given sections of the actor's instance")
    func sections() async throws {
        let file = try TemporaryRealm(Bale.types)
        let realm = try file.open()
        try realm.write { Bale.fill($0) }
        let listener = Listener()
        let token = await realm.objects(Bale.self).sectioned(by: \.town)
            .observe(on: listener) { listener, change in listener.add(SectionNotificationTests.text(change)) }

        try await listener.write(file.configuration) { $0.add(Bale.make(9, "Kiel")) }

        #expect(await listener.texts == ["initial", "-[] +[1.0] ~[] +[1] -[]"])
        withExtendedLifetime(token) {}
    }
}
