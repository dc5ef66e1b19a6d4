import CheckedRealms
import Combine
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Publishers of the fact of a change")
struct WillChangeTests {
    private let place: PublisherPlace
    private let published = Published()

    init() throws {
        place = try PublisherPlace()
        try place.addPeople(1)
        try place.write { $0.add(Shelf()) }
    }

    private func person() throws -> Person {
        try #require(place.realm.objects(Person.self).first)
    }

    /// What SwiftUI does with an object.
    private func follow<T: Combine.ObservableObject>(_ object: T, _ word: String) -> AnyCancellable {
        let published = published
        return object.objectWillChange.sink { _ in published.add(word) }
    }

    @Test("objects, collections and realms tell of changes, and nothing at first")
    func kinds() throws {
        let shelf = try place.run { realm in try #require(realm.objects(Shelf.self).first) }
        let subscriptions = try place.run { realm in
            [
                follow(try person(), "object"), follow(shelf.books, "list"), follow(shelf.labels, "set"),
                follow(shelf.counts, "map"), follow(PersonCard(projecting: try person()), "card"),
                realm.objects(Person.self).objectWillChange.sink { published.add("results") },
                realm.objectWillChange.sink { published.add("realm") },
            ]
        }
        #expect(published.take() == [])

        try place.write { _ in try person().name = "Ada" }
        #expect(published.take().sorted() == ["card", "object", "realm", "results"])
        try place.write { _ in
            shelf.books.append("Atlas")
            shelf.labels.insert("old")
            shelf.counts["Atlas"] = 1
        }
        #expect(published.take().sorted() == ["list", "map", "realm", "set"])
        for subscription in subscriptions { subscription.cancel() }
        try place.write { _ in try person().name = "Bo" }
        #expect(published.take() == [])
    }

    @Test("what is unmanaged or frozen tells nothing")
    func still() throws {
        let dog = Dog()
        let subscriptions = try place.run { _ in [follow(dog, "unmanaged"), follow(try person().freeze(), "frozen")] }

        dog.name = "Rex"
        try place.write { _ in try person().name = "Ada" }
        #expect(published.take() == [])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("the end of an object is the end of its publisher")
    func deleted() throws {
        let subscription = try place.run { _ in try person().objectWillChange.note(in: published) { "changed" } }
        try place.write { $0.delete(try person()) }

        #expect(published.take() == ["finished"])
        subscription.cancel()
    }

    @Test("a write that is given the token of a publisher is not told of")
    func tokens() throws {
        final class Model {
            var token: NotificationToken?
            var realmToken: NotificationToken?
        }
        let model = Model()
        let subscriptions = try place.run { realm in
            [
                try person().objectWillChange.saveToken(on: model, at: \.token).sink { published.add("object") },
                realm.objectWillChange.saveToken(on: model, for: \.realmToken).sink { published.add("realm") },
            ]
        }
        let token = try #require(model.token)
        #expect(model.realmToken != nil)

        try place.write(withoutNotifying: [token]) { _ in try person().name = "Ada" }
        #expect(published.take() == ["realm"])
        try place.write { _ in try person().name = "Bo" }
        #expect(published.take().sorted() == ["object", "realm"])
        for subscription in subscriptions { subscription.cancel() }
    }
}
