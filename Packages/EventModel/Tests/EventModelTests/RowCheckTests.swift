import EventModel
import Foundation
import Testing

@Suite("Rows from a file")
struct RowCheckTests {
    private static let address = ClassShape(
        name: "Address",
        properties: [PropertyShape(name: "city", kind: .string, isOptional: true)],
        isEmbedded: true
    )
    private static let person = ClassShape(
        name: "Person",
        properties: [
            PropertyShape(name: "_id", kind: .objectId),
            PropertyShape(name: "name", kind: .string),
            PropertyShape(name: "age", kind: .int, isOptional: true),
            PropertyShape(name: "home", kind: .embedded, isOptional: true, embeddedShape: address),
            PropertyShape(name: "tags", kind: .string, collection: .list),
            PropertyShape(name: "boss", kind: .link, isOptional: true, targetClass: "Person"),
            PropertyShape(name: "any", kind: .any, isOptional: true),
        ],
        primaryKeySlot: 0
    )

    private static func sample() -> ObjectSnapshot {
        var homes = SnapshotWriter(shape: address)
        homes.begin(key: 0, version: 7)
        homes.set(0, string: "Bern")
        let home = homes.finish()
        var writer = SnapshotWriter(shape: person)
        writer.begin(key: 42, version: 7, whole: true)
        writer.set(0, objectId: ObjectId("62b38b3c10846041166f5deb"))
        writer.set(1, string: "Ünal")
        writer.setPacked(3) { $0.append(embedded: home) }
        writer.setPacked(4) { $0.append(.list([.string("a"), .null])) }
        writer.setPacked(5) { $0.append(.link(ObjectReference(className: "Person", key: 9, primaryKey: .int(5)))) }
        writer.setPacked(6) { $0.append(.dictionary(["a": .list([.int(1), .double(2)]), "b": .bool(true)])) }
        return writer.finish()
    }

    private func values(_ snapshot: ObjectSnapshot) -> [String] {
        snapshot.shape.properties.indices.map { slot in
            if case .object(let embedded) = snapshot.value(slot) { return "\(embedded.value(0))" }
            return "\(snapshot.value(slot))"
        }
    }

    @Test("a copied row is equal to the row, in every slot")
    func copies() throws {
        let sample = Self.sample()
        var writer = SnapshotWriter(shape: Self.person, chunkByteCount: 64)

        let copies = try (0..<3).map { _ in try writer.append(row: sample.rowBytes) }

        for copy in copies {
            #expect(copy == sample)
            #expect(copy.isWhole)
            #expect(values(copy) == values(sample))
            #expect(Array(copy.rowBytes) == Array(sample.rowBytes))
        }
    }

    @Test("a row that was cut at any byte is refused")
    func truncated() {
        let sample = Self.sample()
        var writer = SnapshotWriter(shape: Self.person)
        for count in 0..<sample.byteCount {
            let cut = UnsafeRawBufferPointer(rebasing: sample.rowBytes.prefix(count))
            #expect(throws: EventModelError.self) { _ = try writer.append(row: cut) }
        }
    }

    @Test("a row with a flipped bit is refused or can be read in every slot")
    func flipped() throws {
        let sample = Self.sample()
        var writer = SnapshotWriter(shape: Self.person)
        var refused = 0
        for bit in 0..<(sample.byteCount * 8) {
            var bytes = Array(sample.rowBytes)
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            do {
                let snapshot = try bytes.withUnsafeBytes { try writer.append(row: $0) }
                #expect(values(snapshot).count == Self.person.properties.count)
            } catch EventModelError.malformedRow(className: "Person", reason: _) {
                refused += 1
            }
        }
        #expect(refused > 100)
    }

    @Test("values that lie too deep in each other are refused instead of filling the stack")
    func deep() {
        var writer = SnapshotWriter(shape: Self.person)
        writer.begin(key: 1, version: 1, whole: true)
        writer.setPacked(6) { packed in
            var value = Value.list([])
            for _ in 0..<300 { value = .list([value]) }
            packed.append(value)
        }
        let row = writer.finish()

        #expect(throws: EventModelError.malformedRow(className: "Person", reason: "values lie too deep in each other"))
        {
            _ = try writer.append(row: row.rowBytes)
        }
    }
}
