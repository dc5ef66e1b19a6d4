import Dispatch
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

/// Something on its way to another thread, where it is dropped.
private final class Parcel<Content>: @unchecked Sendable {
    // SAFETY: packed on one thread, and emptied on another after that.
    private var content: Content?

    init(_ content: Content) { self.content = content }

    func drop() { content = nil }
}

@Suite("A half-used iterator that is dropped on another thread")
struct DroppedIteratorThreadTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm()
        realm = try file.open()
        try realm.write { [realm] in realm.add((0..<1000).map(Person.numbered)) }
    }

    /// Begins to go over many objects, and packs what is left.
    private func halfUsed() -> Parcel<ResultsIterator<Person>> {
        var iterator = realm.objects(Person.self).makeIterator()
        #expect(iterator.next()?._id == 0)
        return Parcel(iterator)
    }

    @Test("the instance reads, asks and writes on meanwhile, undisturbed")
    func meanwhile() throws {
        let elsewhere = DispatchQueue(label: "elsewhere")
        for round in 0..<200 {
            let parcel = halfUsed()
            elsewhere.async { parcel.drop() }
            for id in 0..<20 {
                #expect(realm.objects(Person.self).filter("_id == %@", id * 7).first?._id == id * 7)
                #expect(realm.object(ofType: Person.self, forPrimaryKey: id)?._id == id)
            }
            #expect(realm.objects(Person.self).filter("_id >= \(round)").count == 1000 - round)
            if round.isMultiple(of: 10) { try realm.write { realm.objects(Person.self).last?.score += 1 } }
        }
        elsewhere.sync {}
        #expect(realm.objects(Person.self).reduce(0) { sum, _ in sum + 1 } == 1000)
    }

    @Test("it keeps no version: the instance moves on, and the log can be copied into the file")
    func released() throws {
        let parcel = halfUsed()
        try onThread { parcel.drop() }
        try writeElsewhere(file) { realm in realm.delete(realm.objects(Person.self).filter("_id < 900")) }

        #expect(realm.refresh())
        #expect(realm.objects(Person.self).count == 100)
        realm.invalidate()
        let connection = try Connection(
            fileURL: try #require(file.configuration.fileURL),
            isReadOnly: false,
            isDurable: true
        )
        let checkpoint = try connection.prepare("PRAGMA wal_checkpoint(PASSIVE)")
        #expect(try checkpoint.step())
        #expect(checkpoint.int(1) == checkpoint.int(2))
    }

    @Test("the statements of iterators that were dropped are used again")
    func statements() throws {
        let table = try realm.core.table(Person.self)
        let sql = try #require(realm.objects(Person.self).state as? ObjectResultState).texts.selection
        let statement = try table.statement(sql)
        for _ in 0..<2 {
            let parcel = halfUsed()
            try onThread { parcel.drop() }
        }
        realm.refresh()

        #expect(try table.statement(sql) === statement)
    }
}
