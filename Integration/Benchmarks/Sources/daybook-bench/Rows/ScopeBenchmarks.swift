import BenchmarkHarness
import Daybook
import Foundation

/// What recording costs the thread that reads.
func scopeBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = ScopeWork(workload: workload)
    return [
        Benchmark(
            "10,000-object query in a scope (floor: no scope)",
            unit: "ms",
            target: .timesFloor(1.15),
            floor: { try await work.queryTime(scopes: 0) },
            ours: { try await work.queryTime(scopes: 1) }
        ),
        Benchmark(
            "10,000-object query, commit to durable",
            unit: "ms",
            target: .atMost(8),
            ours: { try await work.queryCommitTime() }
        ),
        Benchmark(
            "single read, added by one scope",
            unit: "ns",
            target: .atMost(60),
            ours: { try await work.addedTime(scopes: 1) }
        ),
        Benchmark(
            "single read, added by eight scopes",
            unit: "ns",
            target: .atMost(100),
            ours: { try await work.addedTime(scopes: 8) }
        ),
        Benchmark(
            "single read, added by recording without a scope",
            unit: "ns",
            target: .atMost(2),
            ours: { try await work.addedTime(scopes: 0) }
        ),
    ]
}

/// The work behind the rows of scopes; each turn has files of its own.
private struct ScopeWork: Sendable {
    let workload: Workload

    /// Milliseconds to read one property of 10,000 objects that a query found.
    func queryTime(scopes count: Int) async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder, records: true)
            try fill(realm, with: workload.people.prefix(10_000))
            let scopes = try beginScopes(count, of: realm)
            let time = readAll(realm)
            for scope in scopes { scope.cancel() }
            return time / 1_000_000
        }
    }

    /// Milliseconds from the commit of such a scope until its event is on the disk.
    func queryCommitTime() async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder, records: true)
            try fill(realm, with: workload.people.prefix(10_000))
            let scopes = try beginScopes(1, of: realm)
            blackHole(readAll(realm))
            return try nanoseconds { try commitAndWait(scopes) } / 1_000_000
        }
    }

    /// Nanoseconds that a read by primary key takes longer than in a realm that cannot record.
    func addedTime(scopes count: Int) async throws -> Double {
        let recording = try await singleReadTime(records: true, scopes: count)
        return recording - (try await singleReadTime(records: false, scopes: 0))
    }

    private func singleReadTime(records: Bool, scopes count: Int) async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder, records: records)
            try fill(realm, with: workload.people[...])
            let keys = workload.people.indices.map { $0 * 7919 % workload.people.count }
            let scopes = try beginScopes(count, of: realm)
            let time = nanoseconds {
                for key in keys { blackHole(realm.object(ofType: Person.self, forPrimaryKey: key)?.score) }
            }
            for scope in scopes { scope.cancel() }
            return time / Double(keys.count)
        }
    }

    private func readAll(_ realm: Realm) -> Double {
        nanoseconds {
            var sum = 0.0
            for person in realm.objects(Person.self).where({ $0.score >= 0 }) { sum += person.score }
            blackHole(sum)
        }
    }
}
