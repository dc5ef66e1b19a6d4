import BenchmarkFloors
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
            target: .atMost(6),
            ours: { try await work.queryCommitTime() }
        ),
        Benchmark(
            "single reads of different objects in a scope, calling thread (floor: look-ups)",
            unit: "ns",
            target: .timesFloor(1.5),
            floor: { try await work.rawLookUpTime() },
            ours: { try await work.alternatingTime() }
        ),
        Benchmark(
            "single read of a known row, added by one scope",
            unit: "ns",
            target: .atMost(40),
            ours: { try await work.addedTime(scopes: 1, keys: 100) }
        ),
        Benchmark(
            "single read, added by one scope",
            unit: "ns",
            target: .atMost(40),
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
        Benchmark(
            "shown Int of a realm that records, without a scope (floor: a realm that does not)",
            unit: "ns",
            target: .timesFloor(1.05),
            floor: { try await work.propertyTime(records: false) },
            ours: { try await work.propertyTime(records: true) }
        ),
        Benchmark(
            "shown Int in a scope, again and again (floor: without a scope)",
            unit: "ns",
            target: .timesFloor(1.05),
            floor: { try await work.propertyTime(records: true) },
            ours: { try await work.propertyTime(records: true, scopes: 1) }
        ),
        Benchmark(
            "shown Int of an object from before the scope, the first time (floor: rows read again after a write)",
            unit: "ns",
            target: .timesFloor(1.5),
            floor: { try await work.shownTime(scopes: 0) },
            ours: { try await work.shownTime(scopes: 1) }
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
            let times = try (0..<5)
                .map { _ in
                    let scopes = try beginScopes(count, of: realm)
                    defer { for scope in scopes { scope.cancel() } }
                    return readAll(realm)
                }
            return median(times) / 1_000_000
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
    ///
    /// The two realms take turns in one run, and the same objects are read again and again: the difference is much
    /// smaller than what the disk and the caches would add.
    ///
    /// - Parameters:
    ///   - count: How many scopes are active.
    ///   - keys: How many objects are read in turn; few of them are known from the time before, and cost no query.
    /// - Returns: The median of the differences.
    /// - Throws: What opening the realms, filling them and beginning a scope throw.
    func addedTime(scopes count: Int, keys: Int = 1000) async throws -> Double {
        try await workload.withFolder { folder in
            let plain = try openRealm(in: folder.appending(path: "plain"))
            let recording = try openRealm(in: folder.appending(path: "recording"), records: true)
            for realm in [plain, recording] { try fill(realm, with: workload.people.prefix(1000)) }
            let differences = try (0..<20)
                .map { _ in
                    let without = readByKey(plain, keys: keys)
                    let scopes = try beginScopes(count, of: recording)
                    defer { for scope in scopes { scope.cancel() } }
                    return readByKey(recording, keys: keys) - without
                }
            return median(differences)
        }
    }

    /// Nanoseconds to read a property of one object, again and again.
    ///
    /// - Parameters:
    ///   - records: Whether the realm records; if so, a scope has ended before.
    ///   - count: How many scopes are active.
    /// - Returns: The time of one read.
    /// - Throws: What opening the realm, writing to it and beginning a scope throw.
    func propertyTime(records: Bool, scopes count: Int = 0) async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder, records: records)
            try fill(realm, with: workload.people.prefix(10))
            guard let person = realm.objects(Person.self).first else { throw BenchError.noObject }
            if records { for scope in try beginScopes(1, of: realm) { scope.cancel() } }
            let scopes = try beginScopes(count, of: realm)
            defer { for scope in scopes { scope.cancel() } }
            blackHole(person.employeeId)
            let reads = workload.events * 100
            let time = nanoseconds {
                var sum = 0
                for _ in 0..<reads { sum &+= person.employeeId }
                blackHole(sum)
            }
            return time / Double(reads)
        }
    }

    /// Nanoseconds to read one property of each of a thousand objects whose rows have to be read again.
    ///
    /// - Parameter count: How many scopes began since; with none, a write is why the rows are read again.
    /// - Returns: The time of one object.
    /// - Throws: What opening the realm, writing to it and beginning a scope throw.
    func shownTime(scopes count: Int) async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder, records: true)
            try fill(realm, with: workload.people.prefix(1000))
            let people = Array(realm.objects(Person.self))
            let times = try (0..<20)
                .map { _ in
                    let scopes = try beginScopes(count, of: realm)
                    defer { for scope in scopes { scope.cancel() } }
                    if count == 0 { try realm.write { people[0].score += 1 } }
                    return nanoseconds {
                        var sum = 0
                        for person in people { sum &+= person.employeeId }
                        blackHole(sum)
                    } / Double(people.count)
                }
            return median(times)
        }
    }

    /// Nanoseconds to read each object once by its primary key in a scope, those of two halves in turn.
    func alternatingTime() async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder, records: true)
            try fill(realm, with: workload.people[...])
            let scopes = try beginScopes(1, of: realm)
            defer { for scope in scopes { scope.cancel() } }
            let half = workload.people.count / 2
            return nanoseconds {
                for key in 0..<half {
                    blackHole(realm.object(ofType: Person.self, forPrimaryKey: key)?.score)
                    blackHole(realm.object(ofType: Person.self, forPrimaryKey: key + half)?.score)
                }
            } / Double(half * 2)
        }
    }

    /// The same rows, read by their own keys in SQLite.
    func rawLookUpTime() async throws -> Double {
        try await workload.withFolder { folder in
            let people = try RawPeople(path: folder.appending(path: "people.sqlite").path)
            try people.insert(workload.people)
            let half = workload.people.count / 2
            return try nanoseconds {
                try people.reading {
                    for key in 0..<half {
                        blackHole(people.read(key: key))
                        blackHole(people.read(key: key + half))
                    }
                }
            } / Double(half * 2)
        }
    }

    /// Nanoseconds to read one of some objects by its primary key.
    private func readByKey(_ realm: Realm, keys: Int) -> Double {
        let time = nanoseconds {
            for turn in 0..<20_000 {
                blackHole(realm.object(ofType: Person.self, forPrimaryKey: turn % keys)?.score)
            }
        }
        return time / 20_000
    }

    private func readAll(_ realm: Realm) -> Double {
        nanoseconds {
            var sum = 0.0
            for person in realm.objects(Person.self).where({ $0.score >= 0 }) { sum += person.score }
            blackHole(sum)
        }
    }
}
