import Dispatch
import Foundation
import ObjectStoreTesting
import Synchronization
import Testing

@testable import ObjectStore

@Suite("A version is pinned only while somebody reads it")
struct IdleVersionTests {
    private let file: TemporaryRealm
    private let queue = DispatchQueue(label: "tests.reader")

    init() throws { file = try TemporaryRealm() }

    private var logSize: Int {
        get throws {
            let log = try FileManager.default.attributesOfItem(atPath: "\(file.folder.path)/test.realm-wal")
            return try #require(log[.size] as? Int)
        }
    }

    /// Runs work on a thread of its own.
    private func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
        // SAFETY: written by the thread before the semaphore is signalled, read after it was waited for.
        nonisolated(unsafe) var outcome: Result<Void, any Error> = .success(())
        let done = DispatchSemaphore(value: 0)
        Thread {
            outcome = Result(catching: body)
            done.signal()
        }
        .start()
        done.wait()
        try outcome.get()
    }

    /// Opens an instance that only ``sweep(_:)`` sweeps, however long a loaded machine lets it rest.
    private func openUnswept() throws -> Realm {
        let realm = try file.open()
        realm.core.store.pin.patience.store(IdleVersions.endlessPatience, ordering: .relaxed)
        return realm
    }

    /// Lets the version of an instance become idle and be let go of, without waiting for the time that this takes.
    private func sweep(_ realm: Realm) {
        let store = realm.core.store
        _ = store.pin.look()
        #expect(store.pin.look() == .resting)
        store.letGoOfIdleVersion()
        #expect(!store.isReading)
    }

    // MARK: Turns

    @Test("a queue's instance lets go at the end of the turn")
    func endOfTurn() throws {
        // SAFETY: the instance is only used in blocks of its queue.
        nonisolated(unsafe) let realm = try Realm(configuration: file.configuration, queue: queue)

        queue.sync {
            #expect(realm.isEmpty)
            #expect(realm.core.store.isReading)
        }

        #expect(queue.sync { !realm.core.store.isReading })
    }

    @Test("all that one turn reads is of one version, also what an earlier turn had read already")
    func oneVersionInATurn() throws {
        try file.open()
            .write { realm in
                realm.create(Counter.self, value: ["name": "a", "value": 100])
                realm.create(Counter.self, value: ["name": "b", "value": 0])
            }
        // SAFETY: the instance and its objects are only used in blocks of the queue.
        nonisolated(unsafe) let reader = try Realm(configuration: file.configuration, queue: queue)
        nonisolated(unsafe) var first: Counter?
        queue.sync {
            first = reader.object(ofType: Counter.self, forPrimaryKey: "a")
            #expect(first?.value == 100)
        }
        let file = file

        for moved in 1...20 {
            try onAnotherThread {
                let realm = try file.open()
                try realm.write { realm in
                    realm.object(ofType: Counter.self, forPrimaryKey: "a")?.value -= 1
                    realm.object(ofType: Counter.self, forPrimaryKey: "b")?.value += 1
                }
            }
            queue.sync {
                // The first is known from the turn before, the second is read anew.
                #expect(first?.value == 100 - moved)
                #expect(reader.object(ofType: Counter.self, forPrimaryKey: "b")?.value == moved)
            }
        }
    }

    @Test("within a turn another thread's commit is not seen before a refresh")
    func pinnedInATurn() throws {
        // SAFETY: the instance is only used in a block of its queue.
        nonisolated(unsafe) let realm = try Realm(configuration: file.configuration, queue: queue)
        let file = file

        try queue.sync {
            #expect(realm.isEmpty)
            try onAnotherThread { try file.open().write { $0.add(Person.numbered(1)) } }
            #expect(realm.isEmpty)
            #expect(realm.refresh())
            #expect(!realm.isEmpty)
        }
    }

    @Test("an instance that does not refresh by itself keeps its version over turns")
    func withoutAutorefresh() throws {
        // SAFETY: the instance is only used in blocks of its queue.
        nonisolated(unsafe) let realm = try Realm(configuration: file.configuration, queue: queue)
        queue.sync {
            realm.core.version.turn.autorefresh = false
            #expect(realm.isEmpty)
        }

        try file.open().write { $0.add(Person.numbered(1)) }

        #expect(queue.sync { realm.isEmpty })
        #expect(queue.sync { realm.refresh() && !realm.isEmpty })
    }

    @Test("an actor's and the main actor's instance let go at the end of the turn")
    @MainActor
    func mainActor() async throws {
        let realm = try file.open()
        #expect(realm.isEmpty)
        #expect(realm.core.store.isReading)

        // The end of the turn was scheduled before this.
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }

        #expect(!realm.core.store.isReading)
    }

    // MARK: Idle instances

    @Test("an idle instance of a thread goes on with the newest version, and its objects with it")
    func idleThread() throws {
        let realm = try openUnswept()
        try realm.write { $0.add(Person.numbered(1)) }
        let person = try #require(realm.objects(Person.self).first)
        #expect(person.name == "Person 1")
        let file = file
        try onAnotherThread {
            try file.open().write { $0.objects(Person.self).first?.name = "Elsewhere" }
        }
        #expect(person.name == "Person 1")

        sweep(realm)

        #expect(person.name == "Elsewhere")
        #expect(realm.core.store.isReading)
    }

    @Test("a loop that is interrupted for long goes on over the objects of its beginning")
    func idleLoop() throws {
        let realm = try openUnswept()
        try realm.write { $0.add((0..<1000).map(Person.numbered)) }
        let file = file
        var count = 0

        for person in realm.objects(Person.self) {
            if count == 10 {
                try onAnotherThread { try file.open().write { $0.add(Person.numbered(5000)) } }
                sweep(realm)
            }
            #expect(person._id == count)
            count += 1
        }

        #expect(count == 1000)
        #expect(realm.objects(Person.self).count == 1001)
    }

    @Test("an instance in a transaction, or in the middle of a read, is left alone")
    func inUse() throws {
        let realm = try openUnswept()
        let store = realm.core.store

        try realm.write { realm in
            realm.add(Person.numbered(1))
            #expect(store.pin.look() == .inUse)
            #expect(store.pin.look() == .inUse)
            store.letGoOfIdleVersion()
        }

        #expect(realm.objects(Person.self).count == 1)
        realm.core.reading { () throws(Realm.Error) in
            #expect(store.pin.look() == .inUse)
            store.letGoOfIdleVersion()
            #expect(store.isReading)
        }
    }

    @Test(
        "the log stays short while another instance is open that read once and sits idle",
        arguments: [(true, 2000), (false, 800)]
    )
    func boundedLog(isThread: Bool, count: Int) throws {
        let reader = isThread ? try file.open() : try Realm(configuration: file.configuration, queue: queue)
        // SAFETY: the instance is only used in blocks of its queue, or on this thread.
        nonisolated(unsafe) let idle = reader
        if isThread { #expect(idle.isEmpty) } else { #expect(queue.sync { idle.isEmpty }) }
        let file = file

        try onAnotherThread {
            let realm = try file.open()
            // Each leaves some pages in the log; a log that nobody copies would have tens of megabytes in the end.
            for number in 0..<count {
                try realm.write { $0.add(Person.numbered(number)) }
            }
        }

        #expect(try logSize < 12 << 20)
        #expect(isThread || queue.sync { idle.objects(Person.self).count == count })
    }
}
