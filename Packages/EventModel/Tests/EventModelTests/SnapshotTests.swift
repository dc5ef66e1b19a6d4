import EventModel
import Foundation
import Testing

@Suite("ObjectSnapshot")
struct SnapshotTests {
    static let address = ClassShape(
        name: "Address",
        properties: [PropertyShape(name: "city", kind: .string, isOptional: true)],
        isEmbedded: true
    )
    static let person = ClassShape(
        name: "Person",
        properties: [
            PropertyShape(name: "_id", kind: .objectId),
            PropertyShape(name: "name", kind: .string),
            PropertyShape(name: "age", kind: .int, isOptional: true),
            PropertyShape(name: "score", kind: .double),
            PropertyShape(name: "ratio", kind: .float),
            PropertyShape(name: "active", kind: .bool),
            PropertyShape(name: "born", kind: .date),
            PropertyShape(name: "token", kind: .uuid),
            PropertyShape(name: "price", kind: .decimal128),
            PropertyShape(name: "photo", kind: .data),
            PropertyShape(name: "home", kind: .embedded, isOptional: true, embeddedShape: address),
            PropertyShape(name: "tags", kind: .string, collection: .list),
            PropertyShape(name: "boss", kind: .link, isOptional: true, targetClass: "Person"),
        ],
        primaryKeySlot: 0
    )

    @Test("every kind of value survives packing")
    func everyKind() {
        let uuid = UUID()
        var homes = SnapshotWriter(shape: Self.address)
        homes.begin(key: 0, version: 7)
        homes.set(0, string: "Bern")
        let home = homes.finish()
        var writer = SnapshotWriter(shape: Self.person)
        writer.begin(key: 42, version: 7, whole: true)
        writer.set(0, objectId: ObjectId("62b38b3c10846041166f5deb"))
        writer.set(1, string: "Ünal 🩺")
        writer.set(3, double: -0.5)
        writer.set(4, float: 1.5)
        writer.set(5, bool: true)
        writer.set(6, date: Date(timeIntervalSinceReferenceDate: 12.25))
        writer.set(7, uuid: uuid)
        writer.set(8, decimal128: Decimal128(high: 3, low: 4))
        [UInt8]([1, 2, 3]).withUnsafeBytes { writer.setBytes(9, $0) }
        writer.setPacked(10) { $0.append(embedded: home) }
        writer.setPacked(11) { $0.append(.list([.string("a"), .null, .string("b")])) }
        writer.setPacked(12) { $0.append(.link(ObjectReference(className: "Person", key: 9, primaryKey: .int(5)))) }
        let snapshot = writer.finish()

        #expect(snapshot.key == 42)
        #expect(snapshot.version == 7)
        #expect(snapshot.isWhole)
        #expect(snapshot.primaryKey == .objectId(ObjectId("62b38b3c10846041166f5deb")))
        #expect(snapshot.string(1) == "Ünal 🩺")
        #expect(snapshot.value(2) == .null)
        #expect(snapshot.double(3) == -0.5)
        #expect(snapshot.float(4) == 1.5)
        #expect(snapshot.bool(5))
        #expect(snapshot.date(6) == Date(timeIntervalSinceReferenceDate: 12.25))
        #expect(snapshot.uuid(7) == uuid)
        #expect(snapshot.decimal128(8).low == 4)
        #expect(snapshot.value(9) == .data([1, 2, 3]))
        #expect(snapshot.packedValue(10)?.embedded.string(0) == "Bern")
        #expect(snapshot.value(11) == .list([.string("a"), .null, .string("b")]))
        #expect(snapshot.value(12) == .link(ObjectReference(className: "Person", key: 9, primaryKey: .int(5))))
    }

    @Test("a row that outgrows its chunk moves, and earlier rows stay readable")
    func growth() {
        var writer = SnapshotWriter(shape: Self.person, chunkByteCount: 512)
        let long = String(repeating: "x", count: 100_000)
        let snapshots = (0..<50)
            .map { index in
                writer.begin(key: Int64(index), version: 1)
                writer.set(1, string: index.isMultiple(of: 7) ? long : "row \(index)")
                return writer.finish()
            }

        for (index, snapshot) in snapshots.enumerated() {
            #expect(snapshot.key == Int64(index))
            #expect(snapshot.string(1) == (index.isMultiple(of: 7) ? long : "row \(index)"))
        }
    }

    @Test("a row larger than a small chunk gets one of its own size", arguments: [0, 1, 100, 300, 1000, 5000])
    func smallChunk(length: Int) {
        let text = String(repeating: "x", count: length)
        var writer = SnapshotWriter(shape: Self.person, chunkByteCount: 256)
        let snapshots = (0..<5 as Range<Int64>)
            .map { index in
                writer.begin(key: index, version: 1)
                writer.set(1, string: text)
                return writer.finish()
            }

        #expect(snapshots.map(\.key) == [0, 1, 2, 3, 4])
        #expect(snapshots.allSatisfy { $0.string(1) == text })
    }

    @Test("a writer that reuses its memory leaves the rows alone that somebody keeps")
    func reusedMemory() {
        var writer = SnapshotWriter(shape: Self.person, chunkByteCount: 4096)
        writer.begin(key: 1, version: 1)
        writer.set(1, string: "first")
        let kept = writer.finish()
        writer.reuseMemory()
        writer.begin(key: 2, version: 1)
        writer.set(1, string: "second")
        var dropped: ObjectSnapshot? = writer.finish()

        #expect(kept.string(1) == "first")
        #expect(dropped?.string(1) == "second")
        #expect(dropped?.chunk === kept.chunk)

        var fresh = SnapshotWriter(shape: Self.person, chunkByteCount: 4096)
        fresh.begin(key: 3, version: 1)
        dropped = fresh.finish()
        let place = dropped?.rowBytes.baseAddress
        dropped = nil
        fresh.reuseMemory()
        fresh.begin(key: 4, version: 1)
        #expect(fresh.finish().rowBytes.baseAddress == place)
    }

    @Test("a slot that nobody sets is null, also past the 64th")
    func manyNulls() {
        let wide = ClassShape(
            name: "Wide",
            properties: (0..<130).map { PropertyShape(name: "p\($0)", kind: .int, isOptional: true) }
        )
        var writer = SnapshotWriter(shape: wide)
        writer.begin(key: 1, version: 1)
        writer.set(100, int: 5)
        let snapshot = writer.finish()

        #expect((0..<130).filter { !snapshot.isNull($0) } == [100])
        #expect(snapshot.int(100) == 5)
    }
}
