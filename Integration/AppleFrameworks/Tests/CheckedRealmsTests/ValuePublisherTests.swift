import CheckedRealms
import Combine
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Publishers of values")
struct ValuePublisherTests {
    private let place: PublisherPlace
    private let published = Published()

    init() throws {
        place = try PublisherPlace()
        try place.addPeople(1, 2)
    }

    private func person() throws -> Person {
        try #require(place.realm.object(ofType: Person.self, forPrimaryKey: 1))
    }

    @Test("a collection is published as it is, whenever it changes, and no more once its subscription is cancelled")
    func collections() throws {
        let subscription = place.run { realm in
            realm.objects(Person.self).collectionPublisher.note(in: published) { "\($0.count)" }
        }

        #expect(published.take() == ["2"])
        try place.addPeople(3)
        #expect(published.take() == ["3"])
        subscription.cancel()
        try place.addPeople(4)
        #expect(published.take() == [])
    }

    @Test("an object is published whenever it changes, until it is deleted")
    func objects() throws {
        let subscription = try place.run { _ in valuePublisher(try person()).note(in: published) { $0.name } }

        #expect(published.take() == [])
        try place.write { _ in try person().name = "Ada" }
        #expect(published.take() == ["Ada"])
        try place.write { $0.delete(try person()) }
        #expect(published.take() == ["finished"])
        subscription.cancel()
    }

    @Test("only changes of the properties that key paths name are published")
    func keyPaths() throws {
        let subscriptions = try place.run { realm in
            [
                valuePublisher(try person(), keyPaths: ["score"]).note(in: published) { "object \($0.score)" },
                realm.objects(Person.self).collectionPublisher(keyPaths: ["score"])
                    .note(in: published) { "names \($0.count)" },
                realm.objects(Person.self).collectionPublisher(keyPaths: [\Person.score])
                    .note(in: published) { "paths \($0.count)" },
            ]
        }
        #expect(published.take().sorted() == ["names 2", "paths 2"])

        try place.write { _ in try person().name = "Ada" }
        #expect(published.take() == [])
        try place.write { _ in try person().score = 4 }
        #expect(published.take().sorted() == ["names 2", "object 4.0", "paths 2"])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("lists, sets, maps, sections and projections are published")
    func kinds() throws {
        try place.write { $0.add(Shelf()) }
        let shelf = try place.run { realm in try #require(realm.objects(Shelf.self).first) }
        let subscriptions = try place.run { realm in
            [
                shelf.books.collectionPublisher.note(in: published) { "list \($0.count)" },
                shelf.labels.collectionPublisher.note(in: published) { "set \($0.count)" },
                shelf.counts.collectionPublisher.note(in: published) { "map \($0.count)" },
                realm.objects(Person.self).sectioned(by: \.active).collectionPublisher
                    .note(in: published) { "sections \($0.count)" },
                AnyRealmCollection(shelf.books).collectionPublisher.note(in: published) { "any \($0.count)" },
                valuePublisher(shelf.books).note(in: published) { "function \($0.count)" },
                valuePublisher(PersonCard(projecting: try person())).note(in: published) { "card \($0.title)" },
            ]
        }
        #expect(published.take().sorted() == ["any 0", "function 0", "list 0", "map 0", "sections 2", "set 0"])

        try place.write { _ in
            shelf.books.append("Atlas")
            shelf.labels.insert("old")
            shelf.counts["Atlas"] = 1
            try person().name = "Ada"
        }
        #expect(
            published.take().sorted()
                == ["any 1", "card Ada", "function 1", "list 1", "map 1", "sections 2", "set 1"]
        )
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("a value that is not asked for is published when it is, once, as it is then")
    func demand() throws {
        let subscriber = HesitantSubscriber<Results<Person>, any Error> { published.add("\($0.count)") }
        place.run { $0.objects(Person.self).collectionPublisher.subscribe(subscriber) }

        try place.addPeople(3)
        try place.addPeople(4)
        #expect(published.take() == [])
        place.run { _ in subscriber.ask() }
        #expect(published.take() == ["4"])
        place.run { _ in subscriber.ask() }
        #expect(published.take() == [], "there is nothing new")
        try place.addPeople(5)
        #expect(published.take() == ["5"])
        try place.addPeople(6)
        #expect(published.take() == [])
        subscriber.subscription?.cancel()
        place.run { _ in subscriber.ask() }
        #expect(published.take() == [], "a subscription that is over delivers nothing")
    }

    @Test("a value can be assigned to a property")
    func assigning() throws {
        final class Label { var text = "" }
        let label = Label()
        let subscription = try place.run { _ in
            valuePublisher(try person()).map(\.name).replaceError(with: "").assign(to: \.text, on: label)
        }

        try place.write { _ in try person().name = "Ada" }
        #expect(label.text == "Ada")
        subscription.cancel()
    }

    @Test("a subscriber that wants one value gets one")
    func first() throws {
        let subscription = place.run { realm in
            realm.objects(Person.self).collectionPublisher.first().note(in: published) { "\($0.count)" }
        }
        try place.addPeople(3)

        #expect(published.take() == ["2", "finished"])
        subscription.cancel()
    }
}
