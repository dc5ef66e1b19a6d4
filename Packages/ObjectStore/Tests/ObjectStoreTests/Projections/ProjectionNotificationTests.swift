import Dispatch
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Notifications of projections")
struct ProjectionNotificationTests {
    private let place: QueueRealm
    private let told = Log<String>()

    init() throws {
        place = try QueueRealm(try Juggler.file())
        try place.write { Juggler.fill($0) }
    }

    /// What a handler was called with as text.
    static func text(_ change: ObjectChange<Act>) -> String {
        switch change {
        case .error: "error"
        case .deleted: "deleted"
        case .change(let act, let changes):
            "\(act.firstName): "
                + changes.map { change in
                    let old = change.oldValue.map { "\($0)" } ?? "-"
                    let new = change.newValue.map { ($0 as? Juggler)?.firstName ?? "\($0)" } ?? "-"
                    return "\(change.name) \(old) \(new)"
                }
                .joined(separator: ", ")
        }
    }

    private func observe(_ keyPaths: [String]? = nil) throws -> NotificationToken {
        try place.run { realm in
            try #require(realm.act(1)).observe(keyPaths: keyPaths) { [told] in told.add(Self.text($0)) }
        }
    }

    @Test("a change says the projection's own names and values")
    func names() throws {
        let token = try observe()

        try place.write { realm in
            realm.juggler(1)?.lastName = "Xiu"
            realm.juggler(1)?.age = 33
        }

        #expect(told.take() == ["Ada: capitals - XIU, years - 33"])
        withExtendedLifetime(token) {}
    }

    @Test("another instance's change also has the values before")
    func oldValues() throws {
        let token = try observe()

        try place.writeElsewhere { $0.juggler(1)?.lastName = "Xiu" }

        #expect(told.take() == ["Ada: capitals XU XIU"])
        withExtendedLifetime(token) {}
    }

    @Test("what links lead to counts as far as a property shows it")
    func links() throws {
        let token = try observe()

        try place.write { $0.juggler(1)?.wagon?.city = "Graz" }
        #expect(told.take() == ["Ada: home - Graz"])

        try place.write { $0.juggler(1)?.wagon?.wheels = 6 }
        #expect(told.take().isEmpty)

        try place.write { $0.juggler(2)?.firstName = "Bob" }
        #expect(told.take() == ["Ada: partnerName - Bob, friendNames - -, understudyNames - -"])

        try place.write { realm in realm.juggler(1)?.partner = realm.juggler(5) }
        #expect(told.take() == ["Ada: partner - Ed, partnerName - Ed"])
        withExtendedLifetime(token) {}
    }

    @Test("collections count, without values")
    func collections() throws {
        let token = try observe()

        try place.write { realm in
            realm.juggler(1)?.friends.removeAll()
            realm.juggler(1)?.props.append("rings")
        }

        #expect(told.take() == ["Ada: props - -, friendNames - -"])
        withExtendedLifetime(token) {}
    }

    @Test("chosen properties alone are told of, by name and by key path")
    func chosen() throws {
        let token = try observe(["firstName"])
        let others = Log<String>()
        let second = try place.run { realm in
            try #require(realm.act(1)).observe(keyPaths: [\Act.years, \Act.friendNames]) { others.add(Self.text($0)) }
        }

        try place.write { $0.juggler(1)?.lastName = "Xiu" }
        #expect(told.take().isEmpty)
        #expect(others.take().isEmpty)

        try place.write { realm in
            realm.juggler(1)?.firstName = "Ida"
            realm.juggler(1)?.age = 3
            realm.juggler(3)?.firstName = "Cyd"
        }
        #expect(told.take() == ["Ida: firstName - Ida"])
        #expect(others.take() == ["Ida: years - 3, friendNames - -"])
        withExtendedLifetime((token, second)) {}
    }

    @Test("a property that is not projected is not told of, nor are backlinks")
    func unseen() throws {
        let token = try place.run { realm in
            try #require(realm.act(2)).observe { [told] in told.add(Self.text($0)) }
        }

        try place.write { $0.juggler(1)?.firstName = "Ida" }

        #expect(told.take().isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test("the deletion of the object is told once")
    func deletion() throws {
        let token = try observe()

        try place.write { realm in if let juggler = realm.juggler(1) { realm.delete(juggler) } }
        try place.write { $0.juggler(2)?.firstName = "Bob" }

        #expect(told.take() == ["deleted"])
        withExtendedLifetime(token) {}
    }

    @Test("a write can leave the token of a projection out")
    func skipping() throws {
        let token = try observe()

        try place.write(withoutNotifying: [token]) { $0.juggler(1)?.firstName = "Ida" }

        #expect(told.take().isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test("a handler of another queue is given a projection of that queue's instance")
    func otherQueue() throws {
        let queue = DispatchQueue(label: "acts")
        // SAFETY: only the queue uses it until that has nothing to do any more.
        nonisolated(unsafe) let told = told
        let token = try place.run { realm in
            try #require(realm.act(1)).observe(on: queue) { (change: ObjectChange<Act>) in told.add(Self.text(change)) }
        }
        queue.sync {}

        try place.write { $0.juggler(1)?.firstName = "Ida" }
        queue.sync {}

        #expect(told.take() == ["Ida: firstName Ada Ida"])
        withExtendedLifetime(token) {}
    }

    @Test("results of projections are told of what the projection shows")
    func results() throws {
        let told = Log<Told>()
        let names = Log<Told>()
        let tokens = place.run { realm in
            [
                realm.objects(Act.self).observe { told.add(Told($0)) },
                realm.objects(Act.self).observe(keyPaths: [\Act.firstName]) { names.add(Told($0)) },
                realm.objects(Act.self).observe(keyPaths: ["capitals"]) { names.add(Told($0)) },
            ]
        }
        #expect(told.take() == [.initial(5)])
        #expect(names.take() == [.initial(5), .initial(5)])

        try place.write { $0.juggler(4)?.age = 1 }
        #expect(told.take() == [.update(5, modifications: [3])])
        #expect(names.take().isEmpty)

        try place.write { $0.juggler(4)?.firstName = "Dina" }
        #expect(names.take() == [.update(5, modifications: [3])])

        try place.write { $0.juggler(1)?.wagon?.wheels = 2 }
        #expect(told.take() == [.update(5, modifications: [3])])
        withExtendedLifetime(tokens) {}
    }
}
