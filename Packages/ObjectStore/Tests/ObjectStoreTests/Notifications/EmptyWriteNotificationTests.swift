import Dispatch
import ObjectStore
import ObjectStoreTesting
import Testing

/// How a transaction that changes nothing can end.
enum EmptyEnd: CaseIterable {
    case commit, cancel, commitOfError

    func end(_ realm: Realm) throws {
        switch self {
        case .commit: try realm.commitWrite()
        case .cancel: realm.cancelWrite()
        case .commitOfError:
            realm.create(Person.self, value: ["name": 5])
            #expect(throws: Realm.Error(.invalidInput, "")) { try realm.commitWrite() }
        }
    }
}

@Suite("What is to be told while a transaction is open that changes nothing")
struct EmptyWriteNotificationTests {
    private let place: QueueRealm
    private let told = Log<Told>()

    init() throws { place = try QueueRealm() }

    @Test("the first call is made after its end", arguments: EmptyEnd.allCases)
    func initial(end: EmptyEnd) throws {
        let token = place.queue.sync {
            let token = place.realm.objects(Person.self).observe { [told] in told.add(Told($0)) }
            place.realm.beginWrite()
            return token
        }
        place.settle()
        #expect(told.take().isEmpty)

        try place.run { realm in try end.end(realm) }
        place.settle()

        #expect(told.take() == [.initial(0)])
        withExtendedLifetime(token) {}
    }

    @Test("a handler that is handed over in the middle of it gets its first call, too", arguments: EmptyEnd.allCases)
    func handedOver(end: EmptyEnd) throws {
        place.queue.sync { place.realm.beginWrite() }
        let realm = try place.file.open()
        let token = realm.objects(Person.self).observe(on: place.queue) { [told] in told.add(Told($0)) }
        place.settle()
        place.settle()
        #expect(told.take().isEmpty)

        try place.run { realm in try end.end(realm) }
        place.settle()

        #expect(told.take() == [.initial(0)])
        withExtendedLifetime(token) {}
    }
}

@Suite("A loop over changes while a transaction is open that changes nothing")
struct EmptyWriteChangesTests {
    @Test("it goes on after its end", .timeLimit(.minutes(5)), arguments: EmptyEnd.allCases)
    @MainActor
    func changes(end: EmptyEnd) async throws {
        let file = try TemporaryRealm()
        let realm = try file.open()
        let changes = realm.objects(Person.self).changes().makeAsyncIterator()
        realm.beginWrite()
        // The turn in which the first change would have been told.
        await Task.yield()
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        try end.end(realm)

        let first = await changes.next()

        #expect(first.map { Told($0) } == .initial(0))
    }
}
