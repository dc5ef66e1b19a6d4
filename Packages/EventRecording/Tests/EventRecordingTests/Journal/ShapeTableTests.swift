import EventModel
import Testing

@testable import EventRecording

@Suite("Classes in a journal")
struct ShapeTableTests {
    private let part = ClassShape(
        name: "Part",
        properties: [PropertyShape(name: "text", kind: .string)],
        isEmbedded: true,
        representation: { _ in "1" }
    )

    private func readAgain(_ shape: ClassShape) throws -> ClassShape {
        var table = ShapeTable()
        let number = table.number(of: shape)
        return try table.block(number)
            .withUnsafeBytes { buffer in
                var reader = ByteReader(buffer)
                _ = try reader.byte()
                return try ShapeTable.read(&reader).1
            }
    }

    @Test("a class comes back with all that its rows mean")
    func plain() throws {
        let shape = ClassShape(
            name: "Holder",
            properties: [
                PropertyShape(name: "id", columnName: "_id", kind: .objectId),
                PropertyShape(name: "parts", kind: .embedded, collection: .list, embeddedShape: part),
            ],
            primaryKeySlot: 0
        )

        let read = try readAgain(shape)

        #expect(read.isEqual(to: shape))
        #expect(read.representation == nil)
        #expect(!read.isEmbedded && read.properties[1].embeddedShape?.isEmbedded == true)
    }

    @Test("a class that represents itself is not shown without its code: asking for it throws")
    func custom() throws {
        let snapshot = ReadObject(snapshot: emptySnapshot(of: part))
        let read = try readAgain(part)
        let holder = ClassShape(
            name: "Holder",
            properties: [PropertyShape(name: "part", kind: .embedded, isOptional: true, embeddedShape: part)]
        )
        let inside = try #require(try readAgain(holder).properties[0].embeddedShape)

        for shape in [read, inside] {
            let representation = try #require(shape.representation)
            #expect(throws: RecordingError.representationMissing(className: "Part")) {
                try representation(snapshot)
            }
        }
        #expect(RecordingError.representationMissing(className: "Part").description.contains("'Part'"))
    }

    @Test("a class with and the same class without a representation of its own are two")
    func identity() {
        let plain = ClassShape(name: part.name, properties: part.properties, isEmbedded: true)

        #expect(!plain.isEqual(to: part))
    }

    private func emptySnapshot(of shape: ClassShape) -> ObjectSnapshot {
        var writer = SnapshotWriter(shape: shape)
        writer.begin(key: 1, version: 1, whole: true)
        return writer.finish()
    }
}
