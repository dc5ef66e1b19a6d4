import CheckedRealms
import Combine
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Publishers of changes")
struct ChangesetPublisherTests {
    private let place: PublisherPlace
    private let published = Published()

    init() throws {
        place = try PublisherPlace()
        try place.addPeople(1, 2)
        try place.write { $0.add(Shelf()) }
    }

    private func person() throws -> Person {
        try #require(place.realm.object(ofType: Person.self, forPrimaryKey: 1))
    }

    @Test("changes of a collection have places")
    func collections() throws {
        let subscriptions = place.run { realm in
            let people = realm.objects(Person.self).sorted(byKeyPath: "_id")
            return [
                people.changesetPublisher.note(in: published) { words($0) },
                people.changesetPublisher(keyPaths: [\.score]).note(in: published) { "score " + words($0) },
                changesetPublisher(people, keyPaths: ["active"]).note(in: published) { "active " + words($0) },
            ]
        }
        #expect(published.take().sorted() == ["active initial 2", "initial 2", "score initial 2"])

        try place.write { realm in
            try person().name = "Ada"
            realm.add(Person.numbered(0))
        }
        #expect(
            published.take().sorted()
                == ["active update 3 -[] +[0] ~[]", "score update 3 -[] +[0] ~[]", "update 3 -[] +[0] ~[0]"]
        )
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("changes of an object have properties, and its end is the last")
    func objects() throws {
        let subscriptions = try place.run { _ in
            [
                changesetPublisher(try person(), keyPaths: ["name"]).note(in: published) { words($0) },
                changesetPublisher(PersonCard(projecting: try person())).note(in: published) { "card " + words($0) },
            ]
        }

        try place.write { _ in
            try person().name = "Ada"
            try person().score = 3
        }
        #expect(published.take().sorted() == ["card title Ada", "name Ada"])
        try place.write { $0.delete(try person()) }
        #expect(published.take().sorted() == ["card deleted", "deleted", "finished", "finished"])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("changes of a map have keys, those of sections have paths")
    func mapsAndSections() throws {
        let shelf = try place.run { realm in try #require(realm.objects(Shelf.self).first) }
        let subscriptions = place.run { realm in
            [
                shelf.counts.changesetPublisher.note(in: published) { change in
                    if case .update(_, _, let insertions, _) = change { "map +\(insertions)" } else { "map" }
                },
                realm.objects(Person.self).sectioned(by: \.active).changesetPublisher
                    .note(in: published) { change in
                        guard case .update(_, _, let insertions, _, _, _) = change else { return "sections" }
                        return "sections +\(insertions.map { "\($0)" })"
                    },
            ]
        }
        #expect(published.take().sorted() == ["map", "sections"])

        try place.write { realm in
            shelf.counts["Atlas"] = 1
            realm.add(Person.numbered(3))
        }
        #expect(published.take().sorted() == [#"map +["Atlas"]"#, #"sections +["[0, 1]"]"#])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("a collection begins anew for a subscriber that missed a change")
    func missed() throws {
        let subscriber = HesitantSubscriber<RealmCollectionChange<Results<Person>>, Never> { published.add(words($0)) }
        place.run { $0.objects(Person.self).changesetPublisher.subscribe(subscriber) }
        place.run { _ in subscriber.ask() }
        #expect(published.take() == ["initial 2"])

        try place.addPeople(3)
        place.run { _ in subscriber.ask() }
        #expect(published.take() == ["update 3 -[] +[2] ~[]"], "one change waits as it is")
        try place.addPeople(4)
        try place.addPeople(5)
        place.run { _ in subscriber.ask() }
        #expect(published.take() == ["initial 5"])
    }

    @Test("an object tells of each property once to a subscriber that missed a change")
    func missedProperties() throws {
        let subscriber = HesitantSubscriber<ObjectChange<Person>, Never>(
            { published.add(words($0)) },
            ending: { published.add("finished") }
        )
        try place.run { _ in changesetPublisher(try person(), keyPaths: ["name", "score"]).subscribe(subscriber) }

        try place.write { _ in try person().name = "Ada" }
        try place.write { _ in try person().score = 3 }
        try place.write { _ in try person().name = "Bo" }
        place.run { _ in subscriber.ask() }
        #expect(published.take() == ["name Bo, score 3.0"])
        try place.write { $0.delete(try person()) }
        #expect(published.take() == [])
        place.run { _ in subscriber.ask() }
        #expect(published.take() == ["deleted", "finished"])
    }
}
