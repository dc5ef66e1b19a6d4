import CSQLite
import Foundation
import ObjectStoreTesting
import Synchronization
import Testing

@testable import ObjectStore

/// What must not depend on how many objects there are; the figures for a million come from the benchmarks.
@Suite("Many objects")
struct ManyObjectsTests {
    private static let count = 20_000
    private let file: TemporaryRealm

    init() throws {
        file = try TemporaryRealm()
        let realm = try file.open()
        try realm.write { realm.add((0..<Self.count).map(Person.numbered)) }
    }

    @Test("opening and a look-up read a few pages of the file, not all")
    func opening() throws {
        let realm = try file.open()
        #expect(realm.object(ofType: Person.self, forPrimaryKey: 15_000)?.name == "Person 15000")

        let handle = realm.core.store.connection.handle
        var misses: Int32 = 0
        var highest: Int32 = 0
        #expect(sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_MISS, &misses, &highest, 0) == SQLITE_OK)
        #expect((1..<100).contains(misses), "\(misses) pages")
    }

    @Test("a loop over all objects holds one batch of rows, however many there are")
    func iterating() throws {
        let realm = try file.open()
        let people = realm.objects(Person.self)
        var sum = 0

        for person in people {
            sum += person._id
            // A result that keeps its rows knows their count.
            #expect(people.state?.knownCount == nil)
        }

        #expect(sum == Self.count * (Self.count - 1) / 2)
    }

    @Test("a reader on another thread reads on while half of them are deleted, and sees all of them or half")
    func deletingBesideReader() throws {
        let realm = try file.open()
        let file = file
        let hasDeleted = DispatchSemaphore(value: 0)
        let hasRead = DispatchSemaphore(value: 0)
        let isCommitted = DispatchSemaphore(value: 0)
        let isOver = DispatchSemaphore(value: 0)
        let counts = Mutex<[Int]>([])
        Thread {
            if let reader = try? file.open() {
                let read = {
                    reader.refresh()
                    let count = reader.objects(Person.self).where { $0.score >= 0 }.count
                    counts.withLock { $0.append(count) }
                }
                read()
                hasRead.signal()
                hasDeleted.wait()
                read()
                hasRead.signal()
                isCommitted.wait()
                read()
            }
            isOver.signal()
        }
        .start()

        hasRead.wait()
        try realm.write {
            realm.delete(realm.objects(Person.self).where { $0._id >= Self.count / 2 })
            hasDeleted.signal()
            // The transaction stays open until the reader has read beside it.
            hasRead.wait()
        }
        isCommitted.signal()
        isOver.wait()

        #expect(counts.withLock { $0 } == [Self.count, Self.count, Self.count / 2])
    }
}
