import EventModel
import EventSerialization

/// What the smoke test builds with a single module: an object as JSON, without a store.
@main
enum ModuleConsumer {
    static func main() throws {
        let shape = ClassShape(name: "Person", properties: [PropertyShape(name: "name", kind: .string)])
        var writer = SnapshotWriter(shape: shape)
        writer.begin(key: 1, version: 1, whole: true)
        writer.set(0, string: "Anna")

        var json: [UInt8] = []
        let objects = [ReadObject(snapshot: writer.finish())]
        try JSONSnapshotEncoder().appendRead(type: "Person", objects: objects, to: &json)
        print(String(decoding: json, as: UTF8.self))
    }
}
