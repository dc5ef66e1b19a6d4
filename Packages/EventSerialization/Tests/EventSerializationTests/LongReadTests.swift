import EventModel
import EventSerialization
import Testing

@Suite("Reads of many objects")
struct LongReadTests {
    private static let shape = ClassShape(
        name: "Holder",
        properties: [
            PropertyShape(name: "number", kind: .int), PropertyShape(name: "name", kind: .string),
            PropertyShape(name: "score", kind: .double),
        ]
    )

    /// Objects of the keys from 0 on; the names of some are no text.
    private func objects(_ count: Int, badNames: Set<Int> = []) -> [ReadObject] {
        var writer = SnapshotWriter(shape: Self.shape)
        return (0..<count)
            .map { key in
                writer.begin(key: Int64(key), version: 1, whole: true)
                writer.set(0, int: Int64(key))
                if badNames.contains(key) {
                    withUnsafeBytes(of: UInt8.max) { writer.setBytes(1, $0) }
                } else {
                    writer.set(1, string: "Anna \(key)")
                }
                writer.set(2, double: Double(key) / 7)
                return ReadObject(snapshot: writer.finish())
            }
    }

    @Test(
        "are written as the same objects alone, one behind the other",
        arguments: [0, 1, 2, 1023, 2047, 2048, 2049, 5001]
    )
    func text(count: Int) throws {
        let objects = objects(count)

        let values = try objects.map { try objectText($0.snapshot) }

        #expect(try readText(objects) == #"{"type":"Holder","value":["# + values.joined(separator: ",") + "]}")
    }

    @Test("fail as a whole when one object cannot be written, wherever it lies", arguments: [0, 1499, 1500, 2999])
    func failing(bad: Int) throws {
        let objects = objects(3000, badNames: [bad])
        var bytes: [UInt8] = [1, 2]

        #expect(throws: SerializationError.invalidText(className: "Holder", property: "name")) {
            try JSONSnapshotEncoder().appendRead(type: "Holder", objects: objects, to: &bytes)
        }
        #expect(bytes == [1, 2])
    }
}
