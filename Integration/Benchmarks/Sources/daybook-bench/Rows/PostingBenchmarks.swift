import BenchmarkHarness
import Daybook
import Foundation

/// What a device measures, and sends.
final class Measurement: AsymmetricObject {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var device: String
    @Persisted var value: Double
    @Persisted var taken: Date
    @Persisted var marks: List<Int>
}

/// Objects that go one way: of a realm that syncs they are changes, beside the same in the outbox of one that does not.
func postingBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = PostingWork(workload: workload)
    return workload.listCounts.map { count in
        Benchmark(
            "asymmetric objects: create \(count) in one transaction (floor: in an outbox)",
            unit: "us each",
            step: GrowthStep("asymmetric objects: create", size: count),
            floor: { try await work.creations(count, keepsChanges: false) },
            ours: { try await work.creations(count, keepsChanges: true) }
        )
    }
}

/// The work behind the rows; each turn has a file of its own.
private struct PostingWork: Sendable {
    let workload: Workload

    func creations(_ count: Int, keepsChanges: Bool) async throws -> Double {
        try await workload.withFolder { folder in
            var configuration = Realm.Configuration(
                fileURL: folder.appending(path: "measured.realm"),
                objectTypes: [Measurement.self]
            )
            configuration.keepsChanges = keepsChanges
            let realm = try Realm(configuration: configuration)
            let taken = Date(timeIntervalSince1970: 1_700_000_000)
            return try nanoseconds {
                try realm.write {
                    for number in 0..<count {
                        realm.create(
                            Measurement.self,
                            value: ["_id": number, "device": "a1", "value": 36.5, "taken": taken, "marks": [1, 2]]
                                as [String: Any]
                        )
                    }
                }
            } / Double(count) / 1000
        }
    }
}
