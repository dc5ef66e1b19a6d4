import EventModel
import EventModelTesting
import EventRecordingTesting
import Foundation

@testable import EventRecording

/// Makes captures of every kind, of classes with properties of every kind.
struct RandomCaptures {
    private static let address = ClassShape(
        name: "Address",
        properties: [
            PropertyShape(name: "city", kind: .string, isOptional: true),
            PropertyShape(name: "zip", kind: .int),
        ],
        isEmbedded: true
    )
    private static let person = ClassShape(
        name: "Person",
        properties: [
            PropertyShape(name: "id", columnName: "_id", kind: .objectId),
            PropertyShape(name: "name", kind: .string, isOptional: true),
            PropertyShape(name: "photo", kind: .data, isOptional: true),
            PropertyShape(name: "price", kind: .decimal128),
            PropertyShape(name: "born", kind: .date),
            PropertyShape(name: "home", kind: .embedded, isOptional: true, embeddedShape: address),
            PropertyShape(name: "homes", kind: .embedded, collection: .list, embeddedShape: address),
            PropertyShape(name: "boss", kind: .link, isOptional: true, targetClass: "Person"),
            PropertyShape(name: "anything", kind: .any, isOptional: true),
        ],
        primaryKeySlot: 0
    )
    private static let note = ClassShape(name: "Note", properties: [PropertyShape(name: "text", kind: .string)])

    private var generator: SeededGenerator
    private var rows: [ObjectSnapshot] = []
    private var lists: [[ObjectSnapshot]] = [[]]
    private var wall: Int64 = 1_700_000_000_000_000
    private var monotonic: UInt64 = 5

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func captures(_ count: Int) -> [Capture] {
        (0..<count).map { _ in capture() }
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

    private mutating func capture() -> Capture {
        wall += Int64(number(-5...500))
        monotonic += UInt64(number(0...500))
        let content: Capture.Content =
            switch number(0...10) {
            case 0...5: .read(row())
            case 6...7: .query(query())
            case 8: .follow(follow())
            case 9: .place(PlacedVersion(version: UInt64(number(0...3)), place: place()))
            default: .commit(CapturedWrite(changes: changes(), events: events()))
            }
        return Capture(content, wall: EventInstant(microseconds: wall), monotonicNanoseconds: monotonic)
    }

    private mutating func place() -> SyncReference {
        let file = SyncReference.File(history: Array(repeating: 9, count: 16), number: UInt32(number(0...2)))
        let change = number(0...9)
        return SyncReference(file: file, position: number(0...99), change: change, changeCount: number(0...change))
    }

    private mutating func events() -> [CapturedWrite.Event] {
        (0..<number(0...2))
            .map { scope in
                CapturedWrite.Event(scope: scope, id: ObjectId(high: 4, low: UInt32(number(0...99))))
            }
    }

    private mutating func terms() -> SearchTerms {
        SearchTerms(
            predicate: number(0...1) == 0 ? nil : "name == '\(number(0...99))'",
            sort: (0..<number(0...2)).map { SearchTerms.Order("path.\($0)", ascending: number(0...1) == 0) },
            collection: number(0...1) == 0 ? nil : "Person.visits"
        )
    }

    private mutating func query() -> CapturedQuery {
        let shape = number(0...1) == 0 ? Self.person : Self.note
        if number(0...3) == 0 {
            return CapturedQuery(shape: shape, version: UInt64(number(0...3)), matches: [], terms: terms())
        }
        return CapturedQuery(shape: shape, version: UInt64(number(0...3)), matches: list(of: shape))
    }

    private mutating func follow() -> CapturedFollow {
        let object = ObjectIdentity(shape: Self.person, key: Int64(number(-2...9)), version: UInt64(number(0...3)))
        return CapturedFollow(
            origin: LinkOrigin(object: object, slot: number(0...8)),
            target: row(),
            targets: list(of: Self.person)
        )
    }

    private mutating func changes() -> CommitChanges {
        let modification = Modification(
            before: newRow(Self.person),
            after: newRow(Self.person),
            parent: number(0...1) == 0
                ? nil : ObjectReference(className: "Note", key: 7, primaryKey: .string("parent"))
        )
        let changes = ClassChanges(
            shape: Self.person,
            insertions: list(of: Self.person),
            deletions: list(of: Self.person),
            modifications: [modification]
        )
        return CommitChanges(
            versionBefore: 3,
            versionAfter: 4,
            classes: [changes],
            sync: number(0...1) == 0 ? nil : place()
        )
    }

    private mutating func list(of shape: ClassShape) -> [ObjectSnapshot] {
        if number(0...1) == 0, let old = lists.randomElement(using: &generator), old.allSatisfy({ $0.shape === shape })
        {
            return old
        }
        let list = (0..<number(0...6)).map { _ in newRow(shape) }
        lists.append(list)
        return list
    }

    private mutating func row() -> ObjectSnapshot {
        if number(0...2) > 0, let old = rows.randomElement(using: &generator) { return old }
        return newRow(number(0...1) == 0 ? Self.person : Self.note)
    }

    private mutating func newRow(_ shape: ClassShape) -> ObjectSnapshot {
        var writer = SnapshotWriter(shape: shape, chunkByteCount: 64)
        let address = number(0...1) == 0 ? nil : newAddress()
        writer.begin(key: Int64(number(0...50)), version: UInt64(number(0...3)), whole: true)
        if shape === Self.note {
            writer.set(0, string: String(repeating: "ü", count: number(0...20)))
        } else {
            writer.set(0, objectId: ObjectId(high: UInt64(number(0...100)), low: 1))
            if number(0...1) == 0 { writer.set(1, string: "name \(number(0...9))") }
            if number(0...1) == 0 { [UInt8]([1, 2]).withUnsafeBytes { writer.setBytes(2, $0) } }
            writer.set(3, decimal128: Decimal128(high: 1, low: 2))
            writer.set(4, date: Date(timeIntervalSinceReferenceDate: Double(number(0...100))))
            if let address {
                writer.setPacked(5) { $0.append(embedded: address) }
                writer.setPacked(6) { packed in
                    packed.append(listOf: 2) { list in
                        list.append(embedded: address)
                        list.append(embedded: address)
                    }
                }
            }
            writer.setPacked(7) { $0.append(.link(ObjectReference(className: "Person", key: 3, primaryKey: .int(9)))) }
            writer.setPacked(8) { $0.append(.dictionary(["a": .list([.int(1), .null]), "b": .string("c")])) }
        }
        let row = writer.finish()
        rows.append(row)
        return row
    }

    private mutating func newAddress() -> ObjectSnapshot {
        var writer = SnapshotWriter(shape: Self.address, chunkByteCount: 64)
        writer.begin(key: 0, version: 1)
        if number(0...1) == 0 { writer.set(0, string: "Bern") }
        writer.set(1, int: Int64(number(0...9999)))
        return writer.finish()
    }
}

extension Capture {
    /// Everything that a capture says, as text.
    var text: String { "\(wall) \(monotonicNanoseconds) \(content.text)" }
}

extension Capture.Content {
    fileprivate var text: String {
        switch self {
        case .read(let snapshot): "read \(snapshot.text)"
        case .query(let query):
            "query \(query.shape.name) \(query.version) \(query.matches.map(\.text)) "
                + (query.terms.map { "\($0)" } ?? "found")
        case .follow(let follow):
            "follow \(follow.origin.object.shape.name) \(follow.origin.object.key) \(follow.origin.object.version) "
                + "\(follow.origin.slot) \(follow.target.text) \(follow.targets.map(\.text))"
        case .place(let version): "place \(version.version) \(version.place.bytes)"
        case .commit(let write):
            "commit \(write.changes.versionBefore) \(write.changes.versionAfter) \(write.events) \(write.changes.sync?.bytes ?? []) "
                + write.changes.classes
                .map { change in
                    "\(change.shape.name) \(change.insertions.map(\.text)) \(change.deletions.map(\.text)) "
                        + change.modifications.map(\.text).joined()
                }
                .joined()
        }
    }
}

extension ObjectSnapshot {
    /// The class and a checksum of the row, in which everything is.
    fileprivate var text: String {
        var checksum = UInt64(rowBytes.count)
        for byte in rowBytes { checksum = (checksum ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "\(shape.name) \(key) \(checksum)"
    }
}

extension Modification {
    fileprivate var text: String { "\(before.text) \(after.text) \(String(describing: parent))" }
}
