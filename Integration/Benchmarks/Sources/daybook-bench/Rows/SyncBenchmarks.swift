import BenchmarkFloors
import BenchmarkHarness
import ChangeModel
import Daybook
import EventModel
import Foundation

/// Files that keep their changes beside the same that do not, and what a server said beside updates by key in SQLite.
func syncBenchmarks(_ workload: Workload) -> [Benchmark] {
    let work = SyncWork(workload: workload)
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
            "integrate one entry: a cell of every object",
            unit: "us each",
            target: .timesFloor(2),
            floor: { try await work.rawUpdates() },
            ours: { try await work.integrating(cells: .max) }
        ),
        Benchmark(
            "integrate entries of one cell, together",
            unit: "us each",
            target: .timesFloor(2),
            floor: { try await work.rawUpdates() },
            ours: { try await work.integrating(cells: 1) }
        ),
    ] + lists
}

/// The work behind the rows; each turn has files of its own.
private struct SyncWork: Sendable {
    let workload: Workload

    /// Runs some work with a realm that has people, which keeps its changes or not.
    private func withPeople(keepsChanges: Bool, _ work: (Realm) throws -> Double) async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder, keepsChanges: keepsChanges)
            try fill(realm, with: workload.people[...])
            // The commit behind a large one moves it into the file, which is none of this work.
            try realm.write { _ = realm.create(Roster.self, value: ["_id": 2]) }
            return try work(realm)
        }
    }

    func transactions(keepsChanges: Bool) async throws -> Double {
        try await withPeople(keepsChanges: keepsChanges) { realm in
            guard let person = realm.objects(Person.self).first else { return 0 }
            return try nanoseconds {
                for step in 0..<workload.commits { try realm.write { person.score = Double(step) } }
            } / Double(workload.commits) / 1000
        }
    }

    func insertions(keepsChanges: Bool) async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder, keepsChanges: keepsChanges)
            return try nanoseconds { try fill(realm, with: workload.people[...]) } / Double(workload.people.count) / 1000
        }
    }

    func updates(keepsChanges: Bool) async throws -> Double {
        try await withPeople(keepsChanges: keepsChanges) { realm in
            try nanoseconds {
                try realm.write { for person in realm.objects(Person.self) { person.score = 1 } }
            } / Double(workload.people.count) / 1000
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

    func rawUpdates() async throws -> Double {
        try await workload.withFolder { folder in
            let people = try RawPeople(path: folder.appending(path: "people.sqlite").path)
            try people.insert(workload.people)
            return try nanoseconds { try people.setScores(to: 1) } / Double(workload.people.count) / 1000
        }
    }

    /// Integrates a write to one cell of every object, in entries of some cells.
    func integrating(cells: Int) async throws -> Double {
        try await workload.withFolder { folder in
            var configuration = realmConfiguration(in: folder)
            configuration.keepsChanges = true
            // What is hashed here is the schema alone, which nobody compares.
            guard let history = HistoryID([UInt8](repeating: 1, count: HistoryID.byteCount)),
                let digest = Digest([UInt8](repeating: 0, count: Digest.byteCount))
            else { throw BenchError.wrongAnswer }
            let store = try LiveSyncedStore(configuration, hash: { _ in digest })
            defer { store.close() }
            try store.bind(FileBinding(history: history, file: 1, salt: []))
            let people = workload.people.map { ObjectAddress("Person", .int(Int64($0.key))) }
            let created = people.map { ChangeOperation($0, .create(given: ["name": "x"], defaults: [:])) }
            _ = try store.integrate([entry(1, created, digest)])
            let writes = people.map { ChangeOperation($0, .set("score", .double(1))) }
            let size = min(cells, writes.count)
            let entries = stride(from: 0, to: writes.count, by: size)
                .map { start in entry(2 + start / size, Array(writes[start..<min(start + size, writes.count)]), digest) }
            return try nanoseconds { _ = try store.integrate(entries) } / Double(writes.count) / 1000
        }
    }

    private func entry(_ number: Int, _ literals: [ChangeOperation], _ digest: Digest) -> Entry {
        Entry(
            number: number,
            change: ChangeReference(file: 2, number: number),
            user: 1,
            clock: HybridClock(milliseconds: Int64(number)),
            received: EventInstant(microseconds: 0),
            results: [],
            literals: literals,
            corrections: [],
            digest: digest
        )
    }
}
