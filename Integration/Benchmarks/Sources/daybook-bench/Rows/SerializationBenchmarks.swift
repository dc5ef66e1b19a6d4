import BenchmarkFloors
import BenchmarkHarness
import Daybook
import Foundation

/// Objects as JSON, beside Foundation's encoder on structures with the same contents; here more is better.
func serializationBenchmarks(_ workload: Workload) -> [Benchmark] {
    let people = workload.people.prefix(10_000)
    return [
        Benchmark(
            "JSON of 10,000 objects (floor: JSONEncoder)",
            unit: "MB/s",
            floor: {
                let encodable = people.map(EncodablePerson.init)
                let encoder = JSONEncoder()
                var count = 0
                let time = try nanoseconds { count = try encoder.encode(encodable).count }
                return Double(count) / time * 1000
            },
            ours: {
                let objects = pack(people)
                let encoder = JSONSnapshotEncoder()
                var bytes: [UInt8] = []
                let time = try nanoseconds {
                    try encoder.appendRead(type: "Person", objects: objects, to: &bytes)
                }
                return Double(bytes.count) / time * 1000
            }
        )
    ]
}

/// Packs people as the store does when it reads them.
private func pack(_ people: ArraySlice<SamplePerson>) -> [ReadObject] {
    let shape = ClassShape(
        name: "Person",
        properties: [
            PropertyShape(name: "_id", kind: .int),
            PropertyShape(name: "name", kind: .string),
            PropertyShape(name: "employeeId", kind: .int),
            PropertyShape(name: "score", kind: .double),
            PropertyShape(name: "userId", kind: .string, isOptional: true),
            PropertyShape(name: "active", kind: .bool),
        ],
        primaryKeySlot: 0
    )
    var writer = SnapshotWriter(shape: shape)
    var objects: [ReadObject] = []
    for person in people {
        writer.begin(key: Int64(person.key), version: 1, whole: true)
        writer.set(0, int: Int64(person.key))
        writer.set(1, string: person.name)
        writer.set(2, int: Int64(person.employeeId))
        writer.set(3, double: person.score)
        if let userId = person.userId { writer.set(4, string: userId) }
        writer.set(5, bool: person.isActive)
        objects.append(ReadObject(snapshot: writer.finish()))
    }
    return objects
}

/// The same contents for Foundation's encoder.
private struct EncodablePerson: Encodable {
    private enum CodingKeys: String, CodingKey {
        case key = "_id"
        case name, employeeId, score, userId, active
    }

    let key: Int
    let name: String
    let employeeId: Int
    let score: Double
    let userId: String?
    let active: Bool

    init(_ sample: SamplePerson) {
        key = sample.key
        name = sample.name
        employeeId = sample.employeeId
        score = sample.score
        userId = sample.userId
        active = sample.isActive
    }
}
