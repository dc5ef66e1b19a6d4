import Dispatch
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("The place that an instance is confined to")
struct ConfinementTests {
    private let file: TemporaryRealm

    init() throws { file = try TemporaryRealm() }

    @Test("R1: one place and one file give one instance, which shares its transaction")
    func sharedInstance() throws {
        let first = try file.open()
        let second = try Realm(configuration: file.configuration)

        #expect(first == second)
        first.beginWrite()
        #expect(second.isInWriteTransaction)
        first.cancelWrite()
    }

    @Test("R2: a queue has an instance of its own, whichever thread runs its blocks")
    func queue() throws {
        let queue = DispatchQueue(label: "tests.confined")
        let other = DispatchQueue(label: "tests.other")
        let realm = try file.open()
        // SAFETY: the instance is only used in blocks of its queue.
        nonisolated(unsafe) let confined = try Realm(configuration: file.configuration, queue: queue)
        #expect(confined != realm)

        try queue.sync {
            #expect(try Realm(configuration: file.configuration, queue: queue) == confined)
            try confined.write { $0.add(Person.numbered(1)) }
        }
        for _ in 0..<20 {
            // Waiting in a block of another queue lets another thread run the next block.
            let count = other.sync { queue.sync { confined.objects(Person.self).count } }
            #expect(count == 1)
        }
        #expect(try other.sync { try Realm(configuration: file.configuration, queue: other) } != confined)
    }

    @Test("R2: a queue that targets the instance's queue counts as that queue")
    func targetingQueue() throws {
        let queue = DispatchQueue(label: "tests.target")
        let inner = DispatchQueue(label: "tests.inner", target: queue)
        // SAFETY: the instance is only used in blocks of its queue.
        nonisolated(unsafe) let confined = try Realm(configuration: file.configuration, queue: queue)
        _ = try Realm(configuration: file.configuration, queue: inner)

        #expect(inner.sync { confined.isEmpty })
    }

    @Test("R2: the main queue, the main thread and the main actor are one place")
    @MainActor
    func mainPlace() throws {
        let realm = try file.open()

        #expect(try Realm(configuration: file.configuration, queue: .main) == realm)
    }

    @Test("R3: a queue's instance used on another queue ends the process and names both")
    func wrongQueue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            let queue = DispatchQueue(label: "tests.owner")
            let other = DispatchQueue(label: "tests.offender")
            // SAFETY: nothing guards it: using it on the other queue is the mistake that must trap.
            nonisolated(unsafe) let realm = try Realm(configuration: file.configuration, queue: queue)
            _ = try Realm(configuration: file.configuration, queue: other)
            other.sync { print(realm.isEmpty) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("it belongs to the queue 'tests.owner', and it is used on the queue 'tests.offender'"))
    }

    @Test("R3: an object of a queue's instance traps on the thread that opened it")
    func objectOnOpeningThread() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = try TemporaryRealm()
            let queue = DispatchQueue(label: "tests.owner")
            let realm = try Realm(configuration: file.configuration, queue: queue)
            for person in realm.objects(Person.self) { print(person) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("it belongs to the queue 'tests.owner', and it is used on the thread 0x"))
    }
}
