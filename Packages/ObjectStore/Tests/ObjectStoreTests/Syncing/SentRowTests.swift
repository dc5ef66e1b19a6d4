import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import Foundation
import ObjectQueries
import ObjectStoreTesting
import Testing

@testable import ObjectStore

/// A class with a property of each kind of single value, once as it is and once optional.
final class SentRow: Object {
    @Persisted(primaryKey: true) var id: String?
    @Persisted var truth: Bool
    @Persisted var number: Int
    @Persisted var small: Int8
    @Persisted var float: Float
    @Persisted var double: Double
    @Persisted var words: String
    @Persisted var bytes: Data
    @Persisted var date: Date
    @Persisted var objectId: ObjectId
    @Persisted var uuid: UUID
    @Persisted var decimal: Decimal128
    @Persisted var anything: AnyRealmValue
    @Persisted var next: SentRow?
    @Persisted var mayTruth: Bool?
    @Persisted var mayNumber: Int?
    @Persisted var mayFloat: Float?
    @Persisted var mayDouble: Double?
    @Persisted var mayText: String?
    @Persisted var mayBytes: Data?
    @Persisted var mayDate: Date?
    @Persisted var mayObjectId: ObjectId?
    @Persisted var mayUUID: UUID?
    @Persisted var mayDecimal: Decimal128?

    /// Gives the properties values of all kinds, of which one in three is none or zero.
    fileprivate func fill(_ random: inout SeededGenerator, _ others: [SentRow]) {
        truth = random.once(in: 2)
        number = random.once(in: 3) ? 0 : Int(truncatingIfNeeded: random.next())
        small = Int8(truncatingIfNeeded: random.next())
        float = random.once(in: 3) ? 0 : Float(random.below(1000)) / 7
        double = [0, -0.0, .nan, .infinity, 1.5, .leastNonzeroMagnitude][random.below(6)]
        words = ["", "a", "naïve", "😀", String(repeating: "long ", count: 50)][random.below(5)]
        bytes = Data(repeating: 200, count: random.below(3) * 40)
        date = Date(timeIntervalSinceReferenceDate: Double(random.below(3)) * 1.25)
        objectId = ObjectId(high: random.next(), low: 5)
        uuid = random.once(in: 3) ? UUID(uuid: sampleUUID) : UUID(uuid: emptyUUID)
        decimal = Decimal128(high: random.next() >> 20, low: random.next())
        anything = [.none, .int(0), .string("any"), .bool(false), .data(Data())][random.below(5)]
        next = random.once(in: 3) ? nil : others.randomElement(using: &random)
        mayTruth = random.once(in: 3) ? nil : truth
        mayNumber = random.once(in: 3) ? nil : random.below(2)
        mayFloat = random.once(in: 3) ? nil : Float(random.below(2))
        mayDouble = random.once(in: 3) ? nil : double
        mayText = random.once(in: 3) ? nil : words
        mayBytes = random.once(in: 3) ? nil : bytes
        mayDate = random.once(in: 3) ? nil : date
        mayObjectId = random.once(in: 3) ? nil : objectId
        mayUUID = random.once(in: 3) ? nil : uuid
        mayDecimal = random.once(in: 3) ? nil : decimal
    }
}

private let sampleUUID: uuid_t = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
private let emptyUUID: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

@Suite("Rows that go into a change from their columns")
struct SentRowTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm([SentRow.self]) { $0.keepsChanges = true }
        realm = try file.open()
    }

    private func last() throws -> (body: [UInt8], change: Change) {
        let store = realm.core.store
        let pending = try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).all() }
        let last = try #require(pending.last)
        return (last.body, try Change(number: last.number, body: last.body))
    }

    /// What a row holds, read value by value.
    private func cells(of row: SentRow) throws -> ChangeOperation.Cells {
        let core = try #require(row._core)
        let (store, table) = (realm.core.store, core.table)
        return try store.use { () throws(Realm.Error) in
            var cells: ChangeOperation.Cells = [:]
            for (slot, cell) in try table.cells(ofRow: core.key) where slot != table.schema.primaryKeySlot {
                let name = table.storedNames[slot]
                cells[name] = try SyncedObjects(store).value(cell, table.schema.shape.properties[slot])
            }
            return cells
        }
    }

    private func address(_ row: SentRow) -> ObjectAddress {
        ObjectAddress("SentRow", row.id.map { .string(ExactText($0)) } ?? .null)
    }

    @Test("have the very bytes that the general writer gives their values", arguments: 1...12 as ClosedRange<UInt64>)
    func added(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var rows: [SentRow] = []
        try realm.write {
            for index in 0..<20 {
                let row = SentRow()
                row.id = index == 0 ? nil : "row \(index)"
                row.fill(&random, rows)
                realm.add(row)
                rows.append(row)
            }
        }
        let (body, change) = try last()
        let expected = try rows.map { ChangeOperation(address($0), .create(given: try cells(of: $0), defaults: [:])) }
        #expect(change.operations == expected)
        #expect(body == change.body)
    }

    @Test("are assigned by the very bytes of the general writer, too", arguments: 1...12 as ClosedRange<UInt64>)
    func written(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var rows: [SentRow] = []
        try realm.write {
            for index in 0..<6 {
                let row = SentRow()
                row.id = "row \(index)"
                realm.add(row)
                rows.append(row)
            }
        }
        // One alone, neighbours, and two that are far from each other.
        for written in [[rows[2]], [rows[1], rows[2], rows[3]], [rows[0], rows[5]]] {
            try realm.write { for row in written { row.fill(&random, rows) } }
            let (body, change) = try last()
            let expected = try written.flatMap { row in
                try cells(of: row).map { ChangeOperation(address(row), .set(CellPath($0.key), $0.value)) }
            }
            #expect(change.operations == expected)
            #expect(body.count == change.body.count)
        }
    }

    @Test("are told apart in what was given and what is a default")
    func defaults() throws {
        let row = try realm.write {
            realm.create(SentRow.self, value: ["id": "x", "words": "given", "mayDate": Date()] as [String: Any])
        }
        let given: Set = ["words", "mayDate"]
        let all = try cells(of: row)
        let change = try last().change
        #expect(
            change.operations == [
                ChangeOperation(
                    address(row),
                    .create(
                        given: all.only { given.contains($0.key.string) },
                        defaults: all.only { !given.contains($0.key.string) }
                    )
                )
            ]
        )
    }

    @Test("go on in another change where one would become too large, with their names")
    func large() throws {
        let text = String(repeating: "x", count: 3 << 20)
        try realm.write {
            for index in 0..<4 {
                let row = SentRow()
                (row.id, row.words) = ("row \(index)", text)
                realm.add(row)
            }
        }
        let store = realm.core.store
        let changes = try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).decoded() }
        #expect(changes.map(\.number) == [1, 2])
        #expect(changes.flatMap(\.operations).map(\.object.key) == (0..<4).map { .string(ExactText("row \($0)")) })
    }
}
