import EventModelTesting
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Notifications of realms")
struct RealmNotificationTests {
    private let place: QueueRealm
    private let told = Log<Realm.Notification>()

    init() throws { place = try QueueRealm() }

    private func observe() -> NotificationToken {
        place.run { realm in realm.observe { [told] notification, _ in told.add(notification) } }
    }

    @Test("T9: handlers of the committing instance are called before the commit returns")
    func synchronous() throws {
        let token = observe()

        try place.run { realm in
            realm.beginWrite()
            realm.add(Dog())
            #expect(told.entries.isEmpty)
            try realm.commitWrite()
            #expect(told.take() == [.didChange])
        }

        #expect(told.take().isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test(
        "a write that changes nothing is told to this instance's handlers, but for those it names, and to nobody else"
    )
    func empty() throws {
        let (token, second) = (observe(), observe())
        let collections = Log<Told>()
        let objects = place.run { realm in realm.objects(Dog.self).observe { collections.add(Told($0)) } }
        _ = collections.take()

        try place.run { realm in
            try realm.write {}
            #expect(told.take() == [.didChange, .didChange])
            try realm.write(withoutNotifying: [second]) {}
            #expect(told.take() == [.didChange])
            realm.beginWrite()
            realm.cancelWrite()
        }
        place.settle()

        #expect(told.take().isEmpty && collections.take().isEmpty)
        withExtendedLifetime((token, second, objects)) {}
    }

    @Test("T9: handlers of collections are called later")
    func later() throws {
        let collections = Log<Told>()
        let token = place.run { realm in realm.objects(Dog.self).observe { collections.add(Told($0)) } }
        _ = collections.take()

        try place.run { realm in
            try realm.write { $0.add(Dog()) }
            #expect(collections.entries.isEmpty)
        }

        #expect(collections.take() == [.update(1, insertions: [0])])
        withExtendedLifetime(token) {}
    }

    @Test("N9: a commit of another instance is told once the instance has moved")
    func foreign() throws {
        let token = observe()

        try place.writeElsewhere { $0.add(Dog()) }

        #expect(told.take() == [.didChange])
        place.run { #expect($0.objects(Dog.self).count == 1) }
        #expect(told.take().isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test("N9: a commit that falls between the last delivery and a write is told, also to whom the write is not told")
    func beforeWriting() throws {
        let file = place.file
        let token = place.run { realm in
            realm.observe { [told] notification, _ in
                told.add(notification)
                guard told.entries.count == 1 else { return }
                #expect(throws: Never.self) { try writeElsewhere(file) { $0.add(Dog()) } }
            }
        }

        try place.run { realm in
            // The queue is busy, so that it is the write that delivers this one.
            try writeElsewhere(file) { $0.add(Dog()) }
            try realm.write(withoutNotifying: [token]) { $0.add(Dog()) }
        }

        #expect(told.take() == [.didChange, .didChange])
        place.run { #expect($0.objects(Dog.self).count == 3) }
    }

    @Test("N9: without autorefresh the instance stays, and is told that it could move")
    func refreshRequired() throws {
        let token = observe()
        place.run { realm in
            realm.autorefresh = false
            #expect(!realm.autorefresh)
            #expect(realm.isEmpty)
        }

        try place.writeElsewhere { $0.add(Dog()) }
        #expect(told.take() == [.refreshRequired])
        place.run { realm in
            #expect(realm.isEmpty)
            #expect(realm.refresh())
            #expect(told.take() == [.didChange])
            #expect(!realm.isEmpty)
        }
        withExtendedLifetime(token) {}
    }

    @Test("an instance of a queue moves to newer versions by itself, also without any token")
    func autorefresh() throws {
        place.run { #expect($0.isEmpty) }

        try place.writeElsewhere { $0.add(Dog()) }

        place.run { #expect(!$0.isEmpty) }
    }

    @Test("T6: a cancelled write is not told")
    func nothing() throws {
        let token = observe()

        try place.write { realm in
            realm.add(Dog())
            realm.cancelWrite()
        }

        #expect(told.take().isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test("N7: the end of the token ends the delivery")
    func invalidation() throws {
        let token = observe()
        token.invalidate()
        token.invalidate()

        try place.write { $0.add(Dog()) }

        #expect(told.take().isEmpty)
    }

    @Test("the file is watched for other processes only while somebody observes")
    func watching() throws {
        let broadcast = place.realm.core.file.broadcast
        #expect(!broadcast.isWatching)
        let tokens = [observe(), observe()]
        #expect(broadcast.isWatching)
        tokens[0].invalidate()
        #expect(broadcast.isWatching)
        tokens[1].invalidate()
        #expect(!broadcast.isWatching)
    }

    @Test("delivering is no read in the eyes of an observer, what a handler touches is")
    func observer() throws {
        let spy = ObserverSpy()
        let place = try QueueRealm(TemporaryRealm { $0.attachment = spy })
        try place.write { $0.add((1...3).map(Person.numbered)) }
        let names = Log<String>()
        let token = place.run { realm in
            realm.objects(Person.self)
                .observe { change in
                    if case .update(let people, _, _, let modifications) = change {
                        names.add(people[modifications[0]].name)
                    }
                }
        }

        let calls = try spy.record { try place.write { $0.add(Dog()) } }
        #expect(calls.isEmpty)
        let reads = try spy.record {
            try place.writeElsewhere { realm in realm.object(ofType: Person.self, forPrimaryKey: 2)?.name = "x" }
        }

        #expect(names.take() == ["x"])
        // The look-up of the writer and the element that the handler took.
        #expect(reads.compactMap(\.read).map(\.primaryKey) == [.int(2), .int(2)])
        withExtendedLifetime(token) {}
    }
}
