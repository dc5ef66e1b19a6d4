import BenchmarkFloors
import BenchmarkHarness
import Daybook
import Foundation

/// Files that keep their changes beside the same that do not, and what a server said beside updates by key in SQLite.
func syncBenchmarks(_ workload: Workload) -> [Benchmark] {
    keptBenchmarks(workload) + integrationBenchmarks(workload) + postingBenchmarks(workload)
}

private func keptBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = KeptWork(workload: workload)
    let lists = workload.listCounts
        .map { count in
            Benchmark(
                "kept changes, list of \(count): insert in the middle",
                unit: "us each",
                target: .atMost(100),
                step: GrowthStep("kept changes, list: insert in the middle", size: count)
            ) {
                try await work.insertingInto(count)
            }
        }
    return [
        Benchmark(
            "kept changes: write transaction of one change (floor: not kept)",
            unit: "us",
            target: .timesFloor(1.25),
            floor: { try await work.transactions(keepsChanges: false) },
            ours: { try await work.transactions(keepsChanges: true) }
        ),
        Benchmark(
            "kept changes: insert in one transaction (floor: not kept)",
            unit: "us each",
            target: .timesFloor(1.4),
            floor: { try await work.insertions(keepsChanges: false) },
            ours: { try await work.insertions(keepsChanges: true) }
        ),
        Benchmark(
            "kept changes: update one property of every object (floor: not kept)",
            unit: "us each",
            floor: { try await work.updates(keepsChanges: false) },
            ours: { try await work.updates(keepsChanges: true) }
        ),
        Benchmark(
            "kept changes: single reads in a scope (floor: not kept)",
            unit: "ns",
            target: .timesFloor(1.05),
            floor: { try await work.scopedReads(keepsChanges: false) },
            ours: { try await work.scopedReads(keepsChanges: true) }
        ),
        Benchmark(
            "kept changes: a write and a read of it in a scope (floor: not kept)",
            unit: "us",
            target: .timesFloor(1.25),
            floor: { try await work.scopedWrites(keepsChanges: false) },
            ours: { try await work.scopedWrites(keepsChanges: true) }
        ),
    ] + lists
}

/// The work behind the rows of kept changes; each turn has files of its own.
private struct KeptWork: Sendable {
    let workload: Workload

    /// Runs some work with a realm that has people, which keeps its changes or not.
    private func withPeople(
        keepsChanges: Bool,
        records: Bool = false,
        _ work: (Realm) throws -> Double
    ) async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder, records: records, keepsChanges: keepsChanges)
            try fill(realm, with: workload.people[...])
            // The commit behind a large one moves it into the file, which is none of this work.
            try realm.write { _ = realm.create(Roster.self, value: ["_id": 2]) }
            return try work(realm)
        }
    }

    func transactions(keepsChanges: Bool) async throws -> Double {
        try await withPeople(keepsChanges: keepsChanges) { realm in
            let people = (0..<workload.commits).compactMap { realm.object(ofType: Person.self, forPrimaryKey: $0) }
            return try medianNanoseconds(ofSteps: people.count) { turn in
                try realm.write { people[turn].name = "Renamed \(turn)" }
            } / 1000
        }
    }

    func insertions(keepsChanges: Bool) async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder, keepsChanges: keepsChanges)
            return try nanoseconds { try fill(realm, with: workload.people[...]) } / Double(workload.people.count)
                / 1000
        }
    }

    func updates(keepsChanges: Bool) async throws -> Double {
        try await withPeople(keepsChanges: keepsChanges) { realm in
            try nanoseconds {
                try realm.write { for person in realm.objects(Person.self) { person.score = 1 } }
            } / Double(workload.people.count) / 1000
        }
    }

    /// Nanoseconds of a read by primary key whose event says where the file is in sync, or of one of a file that does not sync.
    func scopedReads(keepsChanges: Bool) async throws -> Double {
        try await withPeople(keepsChanges: keepsChanges, records: true) { realm in
            let scopes = try beginScopes(1, of: realm)
            defer { for scope in scopes { scope.cancel() } }
            let turns = 20_000
            return nanoseconds {
                for turn in 0..<turns {
                    blackHole(realm.object(ofType: Person.self, forPrimaryKey: turn % 1000)?.score)
                }
            } / Double(turns)
        }
    }

    /// Microseconds of a recorded write and of the read that follows it: each makes a version, whose place is said.
    func scopedWrites(keepsChanges: Bool) async throws -> Double {
        try await withPeople(keepsChanges: keepsChanges, records: true) { realm in
            let people = (0..<workload.commits).compactMap { realm.object(ofType: Person.self, forPrimaryKey: $0) }
            let scopes = try beginScopes(1, of: realm)
            defer { for scope in scopes { scope.cancel() } }
            return try medianNanoseconds(ofSteps: people.count) { turn in
                try realm.write { people[turn].name = "Renamed \(turn)" }
                blackHole(realm.object(ofType: Person.self, forPrimaryKey: turn)?.score)
            } / 1000
        }
    }

    func insertingInto(_ count: Int) async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder, keepsChanges: true)
            let roster = try realm.write {
                realm.create(Roster.self, value: ["_id": 1, "numbers": Array(0..<count)])
            }
            blackHole(roster.numbers.last)
            try realm.write { _ = realm.create(Roster.self, value: ["_id": 2]) }
            return try nanoseconds {
                try realm.write { for step in 0..<workload.commits { roster.numbers.insert(step, at: count / 2) } }
            } / Double(workload.commits) / 1000
        }
    }
}
