import CheckedRealms
import Combine
import Dispatch
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Publishers and other queues")
struct HandoverPublisherTests {
    private let place: PublisherPlace
    private let published = Published()
    private let other = DispatchQueue(label: "receiver")

    init() throws {
        place = try PublisherPlace()
        try place.addPeople(1, 2)
        try place.write { $0.create(Home.self, value: ["name": "Villa", "watchdog": ["name": "Rex"]]) }
    }

    /// Lets both queues do what is waiting there.
    private func settle() {
        place.settle()
        other.sync {}
        other.sync {}
    }

    private func person() throws -> Person {
        try #require(place.realm.object(ofType: Person.self, forPrimaryKey: 1))
    }

    @Test("frozen values are received on any queue and stay as they were")
    func freezing() throws {
        var kept: [Results<Person>] = []
        let subscription = place.run { realm in
            realm.objects(Person.self).collectionPublisher.freeze().receive(on: other)
                .note(in: published) { people in
                    kept.append(people)
                    return "\(people.isFrozen) \(people.count)"
                }
        }
        settle()
        try place.addPeople(3)
        settle()

        #expect(published.take() == ["true 2", "true 3"])
        #expect(kept.map(\.count) == [2, 3])
        subscription.cancel()
    }

    @Test("frozen changes have frozen objects, also those that properties refer to")
    func freezingChanges() throws {
        let shelf = try place.run { realm in
            try realm.write { realm.add(Shelf()) }
            return try #require(realm.objects(Shelf.self).first)
        }
        let subscriptions = try place.run { realm in
            let home = try #require(realm.objects(Home.self).first)
            return [
                changesetPublisher(home).freeze()
                    .note(in: published) { change in
                        guard case .change(let home, let properties) = change else { return "end" }
                        let dog = properties.first?.newValue as? Dog
                        return "object \(home.isFrozen) \(dog?.isFrozen ?? false) \(dog?.name ?? "")"
                    },
                realm.objects(Dog.self).changesetPublisher.freeze()
                    .note(in: published) { change in
                        switch change {
                        case .initial(let dogs), .update(let dogs, _, _, _): "collection \(dogs.isFrozen) \(dogs.count)"
                        case .error: "error"
                        }
                    },
                shelf.counts.changesetPublisher.freeze()
                    .note(in: published) { change in
                        switch change {
                        case .initial(let map), .update(let map, _, _, _): "map \(map.isFrozen) \(map.count)"
                        case .error: "error"
                        }
                    },
                realm.objects(Dog.self).sectioned(by: \.name).changesetPublisher.freeze()
                    .note(in: published) { change in
                        switch change {
                        case .initial(let sections), .update(let sections, _, _, _, _, _):
                            "sections \(sections.isFrozen) \(sections.count)"
                        }
                    },
            ]
        }
        #expect(published.take().sorted() == ["collection true 1", "map true 0", "sections true 1"])

        try place.write { realm in
            realm.objects(Home.self).first?.watchdog = Dog(value: ["name": "Max"])
            shelf.counts["Atlas"] = 1
        }
        #expect(
            published.take().sorted()
                == ["collection true 2", "map true 1", "object true true Max", "sections true 2"]
        )
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("live values are received on another queue, in its own instance")
    func references() throws {
        let other = other
        let file = place.file
        let subscriptions = try place.run { realm in
            [
                realm.objects(Person.self).collectionPublisher
                    .filter { $0.count > 2 }
                    .threadSafeReference()
                    .receive(on: other)
                    .note(in: published) { people in
                        let own = try? Realm(configuration: file.configuration, queue: other)
                        return "collection \(people.count) \(people.realm == own) \(people.isFrozen)"
                    },
                valuePublisher(try person()).receive(on: other).note(in: published) { "object \($0.name)" },
            ]
        }
        settle()
        try place.write { realm in
            realm.add(Person.numbered(3))
            try person().name = "Ada"
        }
        settle()

        #expect(published.take().sorted() == ["collection 3 true false", "object Ada"])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("changes are received on another queue with what they refer to")
    func changes() throws {
        let shelf = try place.run { realm in
            try realm.write { realm.add(Shelf()) }
            return try #require(realm.objects(Shelf.self).first)
        }
        let subscriptions = try place.run { realm in
            let home = try #require(realm.objects(Home.self).first)
            return [
                changesetPublisher(home).receive(on: other)
                    .note(in: published) { change in
                        guard case .change(let home, let properties) = change else { return "object end" }
                        return "object \(home.name) \((properties.first?.newValue as? Dog)?.name ?? "")"
                    },
                realm.objects(Dog.self).changesetPublisher.threadSafeReference().receive(on: other)
                    .note(in: published) { "collection \(words($0))" },
                shelf.counts.changesetPublisher.receive(on: other)
                    .note(in: published) { change in
                        if case .update(let map, _, let keys, _) = change { "map \(map.count) \(keys)" } else { "map" }
                    },
                realm.objects(Dog.self).sectioned(by: \.name).changesetPublisher.receive(on: other)
                    .note(in: published) { change in
                        switch change {
                        case .initial(let sections), .update(let sections, _, _, _, _, _): "sections \(sections.count)"
                        }
                    },
            ]
        }
        settle()
        #expect(published.take().sorted() == ["collection initial 1", "map", "sections 1"])

        try place.write { realm in
            realm.objects(Home.self).first?.watchdog = Dog(value: ["name": "Max"])
            shelf.counts["Atlas"] = 1
        }
        settle()
        #expect(
            published.take().sorted()
                == ["collection update 2 -[] +[1] ~[]", #"map 1 ["Atlas"]"#, "object Villa Max", "sections 2"]
        )
        try place.write { realm in realm.delete(realm.objects(Home.self)) }
        settle()
        #expect(published.take() == ["object end", "finished"])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("a value that was deleted on its way is left out")
    func deletedOnTheWay() throws {
        let gate = DispatchSemaphore(value: 0)
        let subscription = try place.run { _ in
            valuePublisher(try person()).receive(on: other).note(in: published) { $0.name }
        }
        other.async { gate.wait() }
        try place.write { _ in try person().name = "Ada" }
        try place.write { $0.delete(try person()) }
        gate.signal()
        settle()

        #expect(published.take() == ["finished"])
        subscription.cancel()
    }

    @Test("a publisher that is subscribed on a queue observes there")
    func subscribing() throws {
        let file = place.file
        let other = other
        let subscriptions = try place.run { realm in
            [
                realm.objects(Person.self).collectionPublisher.subscribe(on: other)
                    .note(in: published) { people in
                        let own = try? Realm(configuration: file.configuration, queue: other)
                        return "value \(people.count) \(people.realm == own)"
                    },
                realm.objects(Person.self).changesetPublisher.subscribe(on: other)
                    .note(in: published) { words($0) },
                changesetPublisher(try person(), keyPaths: ["name"]).subscribe(on: other)
                    .note(in: published) { "object " + words($0) },
            ]
        }
        settle()
        #expect(published.take().sorted() == ["initial 2", "value 2 true"])

        let change: @Sendable (Realm) throws -> Void = { realm in
            try realm.write {
                realm.add(Person.numbered(3))
                realm.object(ofType: Person.self, forPrimaryKey: 1)?.name = "Ada"
            }
        }
        try other.sync { try change(Realm(configuration: file.configuration, queue: other)) }
        settle()
        #expect(published.take().sorted() == ["object name Ada", "update 3 -[] +[2] ~[0]", "value 3 true"])
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("what waits for a subscriber on a queue is delivered on that queue when it is asked for")
    func demandOnQueue() throws {
        let other = other
        let subscriber = HesitantSubscriber<Results<Person>, any Error> { people in
            dispatchPrecondition(condition: .onQueue(other))
            published.add("\(people.count)")
        }
        place.run { $0.objects(Person.self).collectionPublisher.subscribe(on: other).subscribe(subscriber) }
        settle()
        #expect(published.take() == [])

        subscriber.ask()
        settle()
        #expect(published.take() == ["2"])
        subscriber.subscription?.cancel()
    }

    @Test("a publisher cannot be subscribed on what is no queue")
    func noQueue() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let place = try PublisherPlace()
            _ = place.run { $0.objects(Person.self).collectionPublisher.subscribe(on: ImmediateScheduler.shared) }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("use a serial 'DispatchQueue'"))
    }
}
