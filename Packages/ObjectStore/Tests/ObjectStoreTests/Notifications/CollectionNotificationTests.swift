import Dispatch
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Notifications of collections")
struct CollectionNotificationTests {
    private let place: QueueRealm
    private let told = Log<Told>()

    init() throws {
        place = try QueueRealm()
        try place.write { realm in realm.add((1...5).map(Person.numbered)) }
    }

    private func observe(
        _ results: @escaping (Realm) -> Results<Person> = { $0.objects(Person.self).sorted(byKeyPath: "_id") },
        keyPaths: [String]? = nil
    ) -> NotificationToken {
        place.run { realm in
            let token = results(realm).observe(keyPaths: keyPaths) { [told] in told.add(Told($0)) }
            #expect(told.entries.isEmpty, "N1: the handler is never called inside of 'observe'")
            return token
        }
    }

    @Test("N1: the first call has the collection, later ones have deletions, insertions and modifications")
    func updates() throws {
        let token = observe()
        #expect(told.take() == [.initial(5)])

        try place.write { realm in
            realm.delete(try #require(realm.object(ofType: Person.self, forPrimaryKey: 2)))
            realm.object(ofType: Person.self, forPrimaryKey: 4)?.name = "x"
            realm.add(Person.numbered(0))
            realm.add(Person.numbered(9))
        }
        #expect(told.take() == [.update(6, deletions: [1], insertions: [0, 5], modifications: [3])])

        try place.write { realm in realm.object(ofType: Person.self, forPrimaryKey: 5)?.score = 2 }
        #expect(told.take() == [.update(6, modifications: [4])])
        withExtendedLifetime(token) {}
    }

    @Test("N1: a modification that moves the object is a deletion and an insertion")
    func move() throws {
        let token = observe { $0.objects(Person.self).sorted(byKeyPath: "score") }
        _ = told.take()

        try place.write { realm in realm.object(ofType: Person.self, forPrimaryKey: 1)?.score = 100 }

        #expect(told.take() == [.update(5, deletions: [0], insertions: [4])])
        withExtendedLifetime(token) {}
    }

    @Test("N1: an object that begins or ends to match a query is inserted or deleted")
    func query() throws {
        let token = observe { $0.objects(Person.self).where { $0.score > 1 }.sorted(byKeyPath: "_id") }
        #expect(told.take() == [.initial(2)])

        try place.write { realm in
            realm.object(ofType: Person.self, forPrimaryKey: 1)?.score = 7
            realm.object(ofType: Person.self, forPrimaryKey: 5)?.score = 0
            realm.object(ofType: Person.self, forPrimaryKey: 2)?.score = 0.5
        }

        #expect(told.take() == [.update(2, deletions: [1], insertions: [0])])
        withExtendedLifetime(token) {}
    }

    @Test("N1: nothing is told of what does not concern the collection")
    func unrelated() throws {
        let token = observe { $0.objects(Person.self).where { $0._id < 3 } }
        _ = told.take()

        try place.write { realm in
            realm.add(Dog())
            realm.object(ofType: Person.self, forPrimaryKey: 4)?.name = "x"
        }
        try place.write { _ in }

        #expect(told.take().isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test("N2: writes before the first call are part of it, also when a further write begins meanwhile")
    func folded() throws {
        let token = try place.run { realm in
            let token = realm.objects(Person.self).observe { [told] in told.add(Told($0)) }
            try realm.write { realm in realm.add(Person.numbered(6)) }
            try realm.write { realm in realm.add(Person.numbered(7)) }
            #expect(told.entries.isEmpty)
            return token
        }

        #expect(told.take() == [.initial(7)])
        withExtendedLifetime(token) {}
    }

    @Test("N2: commits of another thread while the place is busy are told together")
    func coalesced() throws {
        let token = observe()
        _ = told.take()

        try place.run { [file = place.file] _ in
            for number in 6...8 { try writeElsewhere(file) { $0.add(Person.numbered(number)) } }
            try writeElsewhere(file) { realm in
                realm.delete(try #require(realm.object(ofType: Person.self, forPrimaryKey: 7)))
            }
        }

        #expect(told.take() == [.update(7, insertions: [5, 6])])
        withExtendedLifetime(token) {}
    }

    @Test("writes of another instance are told without anything being called")
    func foreign() throws {
        let token = observe()
        _ = told.take()

        try place.writeElsewhere { realm in
            realm.object(ofType: Person.self, forPrimaryKey: 3)?.name = "x"
            realm.delete(try #require(realm.object(ofType: Person.self, forPrimaryKey: 1)))
        }

        #expect(told.take() == [.update(4, deletions: [0], modifications: [2])])
        withExtendedLifetime(token) {}
    }

    @Test("'refresh' delivers before it returns, also the first call")
    func refresh() throws {
        try place.run { realm in
            let token = realm.objects(Person.self).observe { [told] in told.add(Told($0)) }
            realm.refresh()
            #expect(told.take() == [.initial(5)])
            try writeElsewhere(place.file) { $0.add(Person.numbered(6)) }
            #expect(realm.refresh())
            #expect(told.take() == [.update(6, insertions: [5])])
            token.invalidate()
        }
    }

    @Test("T2: a write begins at the newest version and delivers what is due before its block")
    func beginWrite() throws {
        let token = observe()
        _ = told.take()

        try place.run { [file = place.file] realm in
            try writeElsewhere(file) { $0.add(Person.numbered(6)) }
            try realm.write { realm in
                #expect(told.take() == [.update(6, insertions: [5])])
                #expect(realm.objects(Person.self).count == 6)
            }
        }

        #expect(told.take().isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test("T6: a cancelled write tells nobody")
    func cancel() throws {
        let token = observe()
        _ = told.take()

        place.run { realm in
            realm.beginWrite()
            realm.add(Person.numbered(6))
            realm.objects(Person.self).first?.name = "x"
            realm.cancelWrite()
        }
        #expect(told.take().isEmpty)

        try place.write { realm in realm.add(Person.numbered(6)) }
        #expect(told.take() == [.update(6, insertions: [5])])
        withExtendedLifetime(token) {}
    }

    @Test("T8: a token skips exactly the commit that names it, and later places are right")
    func withoutNotifying() throws {
        let skipped = observe()
        let others = Log<Told>()
        let token = place.run { realm in
            realm.objects(Person.self).sorted(byKeyPath: "_id").observe { others.add(Told($0)) }
        }
        _ = (told.take(), others.take())

        try place.write(withoutNotifying: [skipped]) { realm in
            realm.add(Person.numbered(0))
            realm.object(ofType: Person.self, forPrimaryKey: 5)?.name = "x"
        }
        #expect(told.take().isEmpty)
        #expect(others.take() == [.update(6, insertions: [0], modifications: [4])])

        try place.write { realm in realm.object(ofType: Person.self, forPrimaryKey: 1)?.name = "y" }
        #expect(told.take() == [.update(6, modifications: [1])])
        #expect(others.take() == [.update(6, modifications: [1])])
        withExtendedLifetime((skipped, token)) {}
    }

    @Test("T8: a commit that fails skips nothing")
    func withoutNotifyingFailing() throws {
        let token = observe()
        _ = told.take()

        #expect(throws: Realm.Error.self) {
            try place.write(withoutNotifying: [token]) { $0.add(Person.numbered(1)) }
        }
        try place.write { $0.add(Person.numbered(6)) }

        #expect(told.take() == [.update(6, insertions: [5])])
        withExtendedLifetime(token) {}
    }

    @Test("N7: a token that is dropped or invalidated ends the delivery")
    func invalidation() throws {
        var token: NotificationToken? = observe()
        _ = told.take()
        token?.invalidate()
        try place.write { $0.add(Person.numbered(6)) }
        #expect(told.take().isEmpty)

        token = observe()
        _ = told.take()
        token = nil
        try place.write { $0.add(Person.numbered(7)) }
        #expect(told.take().isEmpty)
        #expect(token == nil)
    }

    @Test("N7: a token may be invalidated inside of its own handler, and before the first call")
    func invalidationInside() throws {
        let box = Log<NotificationToken>()
        place.run { realm in
            box.add(
                realm.objects(Person.self)
                    .observe { [told, box] in
                        told.add(Told($0))
                        box.entries.last?.invalidate()
                    }
            )
        }
        try place.write { $0.add(Person.numbered(6)) }
        #expect(told.take() == [.initial(5)])

        place.run { realm in realm.objects(Person.self).observe { [told] in told.add(Told($0)) }.invalidate() }
        #expect(told.take().isEmpty)
    }

    @Test("N7: the token keeps the instance open, and nothing keeps the token's handler once it is gone")
    func ownership() throws {
        final class Witness {}
        weak var witness: Witness?
        var token: NotificationToken?
        do {
            let made = Witness()
            witness = made
            token = place.run { realm in realm.objects(Person.self).observe { _ in withExtendedLifetime(made) {} } }
        }
        #expect(witness != nil)

        token?.invalidate()
        place.settle()

        #expect(witness == nil)
    }

    @Test("a handler that writes is told of it in a later turn, not inside of itself")
    func writingHandler() throws {
        let depths = Log<Int>()
        var depth = 0
        let token = place.run { realm in
            realm.objects(Person.self)
                .observe { [told] change in
                    depth += 1
                    depths.add(depth)
                    told.add(Told(change))
                    let count = realm.objects(Person.self).count
                    if count < 8 {
                        let result = Result { try realm.write { $0.add(Person.numbered(count + 1)) } }
                        #expect(throws: Never.self) { try result.get() }
                    }
                    depth -= 1
                }
        }
        for _ in 0..<5 { place.settle() }

        let expected: [Told] = [
            .initial(5), .update(6, insertions: [5]), .update(7, insertions: [6]), .update(8, insertions: [7]),
        ]
        #expect(told.take() == expected)
        #expect(depths.entries == [1, 1, 1, 1])
        withExtendedLifetime(token) {}
    }

    @Test("O5: setting a property to the value that it has counts as a modification")
    func equalAssignment() throws {
        let token = observe()
        _ = told.take()

        try place.write { realm in
            let person = realm.object(ofType: Person.self, forPrimaryKey: 2)
            person?.name = "Person 2"
        }

        #expect(told.take() == [.update(5, modifications: [1])])
        withExtendedLifetime(token) {}
    }

    @Test("C12: updating with equal values under modified tells nothing, C11: under all it does")
    func policies() throws {
        let token = observe()
        _ = told.take()

        try place.write { $0.add(Person.numbered(3), update: .modified) }
        #expect(told.take().isEmpty)
        try place.write { $0.add(Person.numbered(3), update: .all) }
        #expect(told.take() == [.update(5, modifications: [2])])
        withExtendedLifetime(token) {}
    }

    @Test("N4: explicit key paths choose what counts as a modification; insertions and deletions always count")
    func keyPaths() throws {
        let token = observe(keyPaths: ["name"])
        _ = told.take()

        try place.write { $0.object(ofType: Person.self, forPrimaryKey: 1)?.score = 9 }
        #expect(told.take().isEmpty)
        try place.write { $0.object(ofType: Person.self, forPrimaryKey: 1)?.name = "x" }
        #expect(told.take() == [.update(5, modifications: [0])])
        try place.write { $0.add(Person.numbered(6)) }
        #expect(told.take() == [.update(6, insertions: [5])])
        withExtendedLifetime(token) {}
    }

    @Test("N5: tokens with other key paths on the same collection do not disturb each other")
    func exclusive() throws {
        let names = observe(keyPaths: ["name"])
        let scores = Log<Told>()
        let token = place.run { realm in
            realm.objects(Person.self).sorted(byKeyPath: "_id")
                .observe(keyPaths: [\Person.score]) { scores.add(Told($0)) }
        }
        _ = (told.take(), scores.take())

        try place.write { $0.object(ofType: Person.self, forPrimaryKey: 1)?.name = "x" }

        #expect(told.take() == [.update(5, modifications: [0])])
        #expect(scores.take().isEmpty)
        withExtendedLifetime((names, token)) {}
    }
}
