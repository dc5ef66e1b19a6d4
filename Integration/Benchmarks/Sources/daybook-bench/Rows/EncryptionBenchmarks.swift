import BenchmarkFloors
import BenchmarkHarness
import Daybook
import Foundation
import Synchronization

/// Files with a key; the floor is the same work in a file without one.
func encryptionBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = EncryptionWork(workload: workload)
    return workload.counts.flatMap { rows(work, count: $0) }
}

private func rows(_ work: EncryptionWork, count: Int) -> [Benchmark] {
    func sized(
        _ series: String,
        unit: String,
        times limit: Double,
        _ measure: @escaping @Sendable (_ isEncrypted: Bool) async throws -> Double
    ) -> Benchmark {
        Benchmark(
            "with a key: \(series), \(count) objects",
            unit: unit,
            target: .timesFloor(limit),
            step: GrowthStep("with a key: \(series)", size: count),
            floor: { try await measure(false) },
            ours: { try await measure(true) }
        )
    }
    return [
        sized("read all, one property", unit: "ns/object", times: 1.15) { isEncrypted in
            try work.reading(count, isEncrypted) { realm in
                nanoseconds { for person in realm.objects(Person.self) { blackHole(person.score) } } / Double(count)
            }
        },
        sized("look-up by primary key, cold", unit: "ns", times: 1.15) { isEncrypted in
            try work.reading(count, isEncrypted) { realm in
                nanoseconds {
                    for turn in 0..<10_000 {
                        blackHole(realm.object(ofType: Person.self, forPrimaryKey: turn &* 7919 % count)?.score)
                    }
                } / 10_000
            }
        },
        sized("insert in one transaction", unit: "ns/object", times: 1.35) { isEncrypted in
            try await work.writing(isEncrypted) { realm in
                try nanoseconds { try fill(realm, with: SamplePerson.people(count: count)[...]) } / Double(count)
            }
        },
        sized("change one object in one transaction", unit: "us", times: 1.35) { isEncrypted in
            try work.reading(count, isEncrypted) { realm in
                try medianNanoseconds(ofSteps: work.workload.commits) { turn in
                    try realm.write {
                        realm.object(ofType: Person.self, forPrimaryKey: turn &* 7919 % count)?.employeeId = turn
                    }
                } / 1000
            }
        },
    ]
}

/// Realms with people, with a key and without.
private final class EncryptionWork: Sendable {
    let workload: Workload
    private let filled = Mutex<Set<String>>([])

    init(workload: Workload) { self.workload = workload }

    private func open(_ folder: URL, _ isEncrypted: Bool) throws -> Realm {
        var configuration = realmConfiguration(in: folder)
        if isEncrypted { configuration.encryptionKey = Data((0..<64).map { UInt8($0) &* 37 }) }
        return try Realm(configuration: configuration)
    }

    /// Runs some work with a realm that is filled, of which no instance has seen anything yet.
    func reading(_ count: Int, _ isEncrypted: Bool, _ work: (Realm) throws -> Double) throws -> Double {
        let folder = try filled.withLock { filled in
            let folder = try workload.makeSharedFolder("\(isEncrypted ? "encrypted" : "readable")-\(count)")
            guard filled.insert(folder.path).inserted else { return folder }
            let realm = try open(folder, isEncrypted)
            for start in stride(from: 0, to: count, by: 50_000) {
                try fill(realm, with: (start..<min(start + 50_000, count)).map { SamplePerson($0) }[...])
            }
            return folder
        }
        return try work(open(folder, isEncrypted))
    }

    /// Runs some work with an empty realm.
    func writing(_ isEncrypted: Bool, _ work: (Realm) throws -> Double) async throws -> Double {
        try await workload.withFolder { folder in try work(open(folder, isEncrypted)) }
    }
}
