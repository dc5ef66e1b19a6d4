import Dispatch
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

/// A store as a program for RealmSwift has it.
private actor BoatStore {
    private var realm: Realm?

    init(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm(configuration: configuration, actor: self)
    }

    private func opened() throws -> Realm {
        try #require(realm)
    }

    func add(_ registration: String) async throws -> Int {
        let realm = try opened()
        try await realm.asyncWrite { realm.create(Boat.self, value: [registration]) }
        return realm.objects(Boat.self).count
    }

    func count() async throws -> Int {
        let realm = try opened()
        _ = await realm.asyncRefresh()
        return realm.objects(Boat.self).count
    }

    func close() { realm = nil }
}

@Suite("Programs for RealmSwift: concurrency")
struct ConcurrencyCompatibilityTests {
    private let file: TemporaryRealm

    init() throws {
        file = try TemporaryRealm(Harbour.types)
    }

    @Test("an actor opens, writes and refreshes")
    func actors() async throws {
        let store = try await BoatStore(file.configuration)
        #expect(try await store.add("A") == 1)
        try await file.inSecondInstance { realm in try realm.write { realm.add(Boat("B")) } }
        #expect(try await store.count() == 2)
        await store.close()
    }

    @Test("the main actor opens, by initialiser and by function")
    @MainActor
    func mainActor() async throws {
        let realm = try await Realm(configuration: file.configuration, downloadBeforeOpen: .never)
        let same = try await Realm.open(configuration: file.configuration)
        let count = try await realm.asyncWrite {
            realm.add(Boat("A"))
            return realm.objects(Boat.self).count
        }

        #expect(realm == same)
        #expect(count == 1)
        #expect(await !realm.asyncRefresh())
    }

    @Test("a queue writes without blocking")
    func queues() async throws {
        let queue = DispatchQueue(label: "harbour")
        let configuration = file.configuration
        let errors = await withCheckedContinuation { (continuation: CheckedContinuation<[String], Never>) in
            queue.async {
                do {
                    let realm = try Realm(configuration: configuration, queue: queue)
                    let id: AsyncTransactionId = realm.beginAsyncWrite {
                        realm.add(Boat("never"))
                    }
                    try realm.cancelAsyncWrite(id)
                    realm.beginAsyncWrite {
                        realm.add(Boat("A"))
                        realm.commitAsyncWrite(allowGrouping: false) { error in
                            precondition(error == nil)
                        }
                    }
                    precondition(realm.isPerformingAsynchronousWriteOperations)
                    realm.writeAsync {
                        realm.add(Boat("B"))
                    } onComplete: { error in
                        let names = realm.objects(Boat.self).map(\.registration)
                        continuation.resume(returning: names + (error.map { ["\($0)"] } ?? []))
                    }
                } catch {
                    continuation.resume(returning: ["\(error)"])
                }
            }
        }

        #expect(errors == ["A", "B"])
    }

    @Test("objects, collections and realms are frozen, thawed and handed over")
    func handingOver() async throws {
        let realm = try file.open()
        let boat = try realm.write {
            let boat = realm.create(Boat.self, value: ["A"])
            boat.crew.append(Skipper(name: "Ida"))
            return boat
        }
        let frozen: Boat = boat.freeze()
        let crew: List<Skipper> = boat.crew.freeze()
        let whole: Realm = realm.freeze()
        try realm.write { boat.name = "Anna" }

        #expect(frozen.isFrozen && crew.isFrozen && whole.isFrozen && !realm.isFrozen)
        #expect(frozen.name == "Nameless" && whole.objects(Boat.self).first?.name == "Nameless")
        #expect(frozen.thaw()?.name == "Anna" && crew.thaw()?.count == 1 && whole.thaw() == realm)
        #expect(realm.freeze(boat).isFrozen && realm.thaw(frozen) == boat)
        #expect(realm.objects(Boat.self).freeze().isFrozen && boat.cargo.freeze().isFrozen)

        let reference = ThreadSafeReference(to: boat)
        let list = ThreadSafeReference(to: boat.crew)
        #expect(!reference.isInvalidated)
        @ThreadSafe var shared: Boat? = boat
        let names = try await file.inSecondInstance { [wrapper = _shared] realm in
            [realm.resolve(reference)?.name, realm.resolve(list)?.first?.name, wrapper.wrappedValue?.name]
        }
        #expect(names == ["Anna", "Ida", "Anna"])
        #expect(shared?.name == "Anna")
    }

    @Test("a realm is opened in the background for a queue")
    func asyncOpen() async throws {
        let queue = DispatchQueue(label: "harbour")
        let configuration = file.configuration
        let isEmpty = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Bool, any Error>) in
            let task: AsyncOpenTask = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
                continuation.resume(with: result.map(\.isEmpty))
            }
            _ = task
        }
        #expect(isEmpty)
    }
}
