import BenchmarkFloors
import BenchmarkHarness
import Daybook
import Foundation
import ObjectStoreTesting

/// Files of the original that become files of ours: written, and both read again and compared.
func importBenchmarks(_ workload: Workload) -> [Benchmark] {
    workload.counts.map { count in
        Benchmark(
            "import a file of Realm, \(count) objects of six properties",
            unit: "us/object",
            target: .atMost(5),
            step: GrowthStep("import a file of Realm", size: count)
        ) {
            try await workload.withFolder { folder in
                let source = folder.appending(path: "original.realm")
                try originalFile(count).write(to: source)
                let configuration = Realm.Configuration(
                    fileURL: folder.appending(path: "new.realm"),
                    objectTypes: [Person.self]
                )
                return try nanoseconds { blackHole(try Realm.importOriginal(from: source, into: configuration)) }
                    / Double(count) / 1000
            }
        }
    }
}

/// A file of people as the original writes it, in leaves of 256.
private func originalFile(_ count: Int) -> Data {
    var writer = OriginalWriter()
    let leaves = stride(from: 0, to: count, by: 256)
        .map { start in
            let people = (start..<min(start + 256, count)).map { SamplePerson($0) }
            return OriginalWriter.Leaf(
                count: Int64(people.count),
                columns: [
                    writer.ints(people.map { Int64($0.key) }),
                    writer.texts(people.map(\.name)),
                    writer.ints(people.map { Int64($0.employeeId) }),
                    writer.doubles(people.map(\.score)),
                    writer.texts(people.map { $0.userId ?? "none" }),
                    writer.ints(people.map { $0.isActive ? 1 : 0 }),
                ]
            )
        }
    let columns: [OriginalWriter.Column] = [
        .init(name: "_id", type: 0), .init(name: "name", type: 2), .init(name: "employeeId", type: 0),
        .init(name: "score", type: 10), .init(name: "userId", type: 2, attributes: 16),
        .init(name: "active", type: 1),
    ]
    return Data(writer.finish("Person", columns, leaves))
}
