import Dispatch
import Foundation
import ObjectStoreTesting
import Synchronization
import Testing

@testable import ObjectStore

/// One way to change a realm.
private struct PageChange: Sendable, CustomStringConvertible {
    let description: String
    let make: @Sendable (Realm, PagePerson) -> Void

    init(_ name: String, _ change: @escaping @Sendable (Realm, PagePerson) -> Void) {
        description = name
        self.make = change
    }

    static let all: [PageChange] = object + collections + realm

    private static let realm: [PageChange] = [
        PageChange("add") { realm, _ in realm.add(PageDog()) },
        PageChange("add several") { realm, _ in realm.add([PageDog(), PageDog()]) },
        PageChange("add with a policy") { realm, _ in
            realm.add(PagePerson(value: ["id": 1, "name": "x"]), update: .modified)
        },
        PageChange("create") { realm, _ in realm.create(PageDog.self) },
        PageChange("create with a policy") { realm, _ in
            realm.create(PagePerson.self, value: ["id": 1, "name": "y"], update: .all)
        },
        PageChange("delete") { realm, person in realm.delete(person) },
        PageChange("delete a sequence") { realm, person in realm.delete([person]) },
        PageChange("delete a result") { realm, _ in realm.delete(realm.objects(PageDog.self)) },
        PageChange("delete a list") { realm, person in realm.delete(person.dogs) },
        PageChange("delete a map") { realm, person in realm.delete(person.dogsByName) },
        PageChange("delete all") { realm, _ in realm.deleteAll() },
    ]

    private static let object: [PageChange] = [
        PageChange("a value") { _, person in person.name = "x" },
        PageChange("a subscript") { _, person in person["name"] = "x" },
        PageChange("setValue") { _, person in person.setValue("x", forKey: "name") },
        PageChange("a link") { _, person in person.dog = PageDog() },
        PageChange("an empty link") { _, person in person.dog = nil },
        PageChange("an embedded object") { _, person in person.address = PageAddress() },
        PageChange("a value of an embedded object") { _, person in person.address?.street = "x" },
        PageChange("a value of any type") { _, person in person.dog?.companion = .int(1) },
        PageChange("a list") { _, person in person.dogs = List() },
        PageChange("a set") { _, person in person.dogSet = MutableSet() },
        PageChange("a map") { _, person in person.dogsByName = Map() },
    ]

    private static let collections: [PageChange] = [
        PageChange("append") { _, person in person.dogs.append(PageDog()) },
        PageChange("append embedded") { _, person in person.formerAddresses.append(PageAddress()) },
        PageChange("remove") { _, person in person.dogs.removeAll() },
        PageChange("insert into a set") { _, person in person.dogSet.insert(PageDog()) },
        PageChange("set a key") { _, person in person.dogsByName["x"] = PageDog() },
        PageChange("set a key by name") { _, person in person.dogsByName.setValue(PageDog(), forKey: "x") },
        PageChange("setValue of elements") { _, person in person.dogs.setValue("x", forKey: "name") },
        PageChange("setValue of a result") { realm, _ in realm.objects(PageDog.self).setValue("x", forKey: "name") },
    ]
}

extension PageRealm {
    /// Adds a person who has everything.
    func addPerson() throws -> PagePerson { try Self.addPerson(realm) }

    /// Adds a person who has everything.
    static func addPerson(_ realm: Realm) throws -> PagePerson {
        try realm.write { realm in
            realm.create(
                PagePerson.self,
                value: [
                    "id": 1, "name": "Ada", "dog": ["name": "Rex", "companion": "a cat"],
                    "dogs": [["name": "Bo"], ["name": "Max"]], "dogSet": [["name": "Pip"]],
                    "dogsByName": ["Tim": ["name": "Tim"]],
                    "address": ["street": "Elm Street", "place": [48.2, 16.4]], "formerAddresses": [["Oak Street"]],
                    "addressesByKind": ["work": ["street": "Main Street"]],
                ]
            )
        }
    }
}

@Suite("Creating: transactions")
struct TransactionRowTests {
    private final class Failure: Error {}

    private let page: PageRealm
    private var realm: Realm { page.realm }

    init() throws { page = try PageRealm() }

    @Test("Row 1: creating, updating and deleting are writes: they trap outside of a transaction", arguments: 0..<3)
    func outsideOfTransaction(_ number: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [number] in
            let page = try PageRealm()
            let person = try page.addPerson()
            switch number {
            case 0: page.realm.create(PageDog.self)
            case 1: person.name = "x"
            default: page.realm.delete(person)
            }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("outside of a write transaction"), "\(message.suffix(400))")
    }

    #if os(Linux)
    @Test("Row 1: every other change traps outside of a transaction, too")
    func everyChangeOutside() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm(PageModels.types)
            let configuration = file.configuration
            do { _ = try PageRealm.addPerson(file.open()) }
            for change in PageChange.all {
                let copy = ForkedProcess { parent in
                    let realm = try Realm(configuration: configuration)
                    let person = try #require(realm.object(ofType: PagePerson.self, forPrimaryKey: 1))
                    parent.report(1)
                    change.make(realm, person)
                    parent.report(2)
                }
                let (ending, reports) = copy.finish()
                #expect(ending == .failed && reports == [1], "\(change)")
            }
        }
        let log = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            log.components(separatedBy: "was made outside of a write transaction").count - 1 == PageChange.all.count
        )
    }
    #endif

    @Test("Row 2: a transaction is all or nothing, wherever it ends")
    func allOrNothing() throws {
        _ = try page.addPerson()
        let dump = try FileDump(realm)
        let before = try dump.lines()

        for count in 0...PageChange.all.count {
            let person = try #require(page.person(1))
            #expect(throws: Failure.self) {
                try realm.write { realm in
                    for change in PageChange.all.prefix(count) where !person.isInvalidated {
                        change.make(realm, person)
                    }
                    throw Failure()
                }
            }
            #expect(try dump.lines() == before, "after \(count) changes")
        }
        #expect(page.person(1)?.dogs.map(\.name) == ["Bo", "Max"])
        #expect(page.person(1)?.address?.place?.latitude == 48.2)
    }

    @Test("Row 3: all writes happen in a transaction, where each of them works; reading needs none")
    func insideOfTransaction() throws {
        let person = try page.addPerson()
        for change in PageChange.all {
            realm.beginWrite()
            change.make(realm, person)
            #expect(realm.core.transaction.open?.hasChanges == true, "\(change)")
            #expect(realm.transactionError == nil, "\(change)")
            realm.cancelWrite()
        }
        #expect(person.dogs.map(\.name) == ["Bo", "Max"])

        try realm.write { realm in
            for change in PageChange.all where !person.isInvalidated { change.make(realm, person) }
        }
        #expect(person.isInvalidated)
    }

    @Test("Row 4: there is one open transaction at a time, so that no increment is lost")
    func increments() throws {
        _ = try page.addPerson()
        let file = page.file
        let failures = Mutex<[String]>([])

        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            do {
                let realm = try file.open()
                for _ in 0..<10 {
                    try realm.write { realm in realm.objects(PageDog.self).where { $0.name == "Rex" }.first?.age += 1 }
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }

        #expect(failures.withLock { $0 } == [])
        realm.refresh()
        #expect(page.person(1)?.dog?.age == 80)
    }

    @Test("Row 4: the write of another thread begins after the open one ended, and reads what that wrote")
    func blockedWrite() throws {
        let events = Mutex<[String]>([])
        let (isOpen, willWrite) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let file = page.file
        let writer = Thread {
            isOpen.wait()
            willWrite.signal()
            try? file.open()
                .write { realm in
                    events.withLock { $0.append("second reads \(realm.objects(PageDog.self).first?.age ?? -1)") }
                    willWrite.signal()
                }
        }
        writer.start()

        try realm.write { realm in
            let dog = realm.create(PageDog.self, value: ["age": 1])
            isOpen.signal()
            willWrite.wait()
            dog.age = 2
            events.withLock { $0.append("first ends") }
        }
        willWrite.wait()

        #expect(events.withLock { $0 } == ["first ends", "second reads 2"])
    }

    #if os(Linux)
    @Test("Row 5: what was committed is on the disk: a process that is killed right afterwards loses nothing")
    func durable() async throws {
        await #expect(processExitsWith: .success) {
            let file = try TemporaryRealm(PageModels.types)
            let configuration = file.configuration
            let writer = ForkedProcess { parent in
                let realm = try Realm(configuration: configuration)
                try realm.write { realm in realm.add(PageDog(value: ["name": "Rex", "citiesVisited": ["Linz"]])) }
                parent.report(1)
                parent.waitForEnd()
            }
            let isWritten = writer.next() == 1
            writer.kill()

            let dogs = try file.open().objects(PageDog.self)
            #expect(isWritten)
            #expect(dogs.map(\.name) == ["Rex"])
            #expect(dogs.first?.citiesVisited.contains("Linz") == true)
        }
    }
    #endif

    @Test("Row 6: an operation that causes an error discards everything, and nobody is notified")
    func errorDiscards() throws {
        let place = try QueueRealm()
        try place.write { realm in realm.add(Person.numbered(1)) }
        let told = Log<Told>()
        let token = place.run { realm in realm.objects(Person.self).observe { told.add(Told($0)) } }
        #expect(told.take() == [.initial(1)])

        let error = #expect(throws: Realm.Error.self) {
            try place.write { realm in realm.add([2, 3, 4, 1].map(Person.numbered)) }
        }
        place.run { realm in
            realm.beginWrite()
            realm.add(Person.numbered(5))
            realm.cancelWrite()
        }

        #expect(error?.code == .objectAlreadyExists)
        #expect(place.run { $0.objects(Person.self).count } == 1)
        #expect(told.take().isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test("Row 7: a transaction is a callback: it is committed right after it, and cancelled when it throws")
    func callback() throws {
        let count = try realm.write { realm in
            realm.add(PageDog(value: ["name": "Rex"]))
            return realm.objects(PageDog.self).count
        }
        #expect(count == 1)
        #expect(try page.elsewhere { $0.objects(PageDog.self).map(\.name) } == ["Rex"])

        let failure = Failure()
        let thrown = #expect(throws: Failure.self) {
            try realm.write { realm in
                realm.deleteAll()
                throw failure
            }
        }
        #expect(thrown === failure)
        #expect(page.dogs.count == 1)

        try realm.write { realm in
            realm.deleteAll()
            realm.cancelWrite()
        }
        #expect(page.dogs.count == 1)
        #expect(!realm.isInWriteTransaction)
    }
}
