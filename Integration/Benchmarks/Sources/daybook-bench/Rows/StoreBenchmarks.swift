import BenchmarkFloors
import BenchmarkHarness
import Daybook
import Foundation

/// The object store beside SQLite through its C API.
func storeBenchmarks(_ workload: Workload) -> [Benchmark] {
    let store = StoreWork(workload: workload)
    return [
        Benchmark(
            "insert in one transaction",
            unit: "us/row",
            target: .timesFloor(1.6),
            floor: { try await store.raw(isFilled: false) { try $0.insert(workload.people) } / 1000 },
            ours: { try await store.ours(isFilled: false) { try store.insert($0) } / 1000 }
        ),
        Benchmark(
            "read all, one property",
            unit: "ns/row",
            target: .timesFloor(1.5),
            floor: { try await store.raw { blackHole($0.readAll()) } },
            ours: { try await store.ours { store.sumScores(of: $0) } }
        ),
        Benchmark(
            "look-up by primary key, cold",
            unit: "ns",
            target: .timesFloor(1.5),
            floor: { try await store.raw { try store.lookUp(store.keys, in: $0) } },
            ours: { try await store.ours { store.lookUp(store.keys, in: $0) } }
        ),
        Benchmark(
            "look-up by primary key, repeated",
            unit: "ns",
            target: .timesFloor(0.4),
            floor: { try await store.raw { try store.lookUp(store.fewKeys, in: $0) } },
            ours: {
                try await store.ours(before: { store.lookUp(store.fewKeys, in: $0) }) { realm in
                    store.lookUp(store.fewKeys, in: realm)
                }
            }
        ),
        Benchmark(
            "count with a filter, no index",
            unit: "ms",
            target: .timesFloor(1.1),
            floor: { try await store.rawCount() },
            ours: { try await store.ours { store.countHighScores(of: $0) } * store.rowsToMs }
        ),
        Benchmark(
            "count with a filter, indexed (floor: no index)",
            unit: "ms",
            target: .timesFloor(0.05),
            floor: { try await store.rawCount() },
            ours: { try await store.rankedCount() }
        ),
        Benchmark(
            "delete every object",
            unit: "ns/row",
            target: .timesFloor(3),
            floor: { try await store.raw { try $0.deleteAll() } },
            ours: { try await store.ours { realm in try realm.write { $0.delete($0.objects(Person.self)) } } }
        ),
        Benchmark(
            "write transaction of one change",
            unit: "us",
            target: .timesFloor(1.15),
            floor: { try await store.rawTransactions() },
            ours: { try await store.transactions(scopes: 0) }
        ),
        Benchmark(
            "write transaction of one change, in a scope",
            unit: "us",
            target: .timesFloor(1.25),
            floor: { try await store.rawTransactions() },
            ours: { try await store.transactions(scopes: 1) }
        ),
    ]
}

/// The work behind the rows of the store; each turn has files of its own.
private struct StoreWork: Sendable {
    let workload: Workload

    /// Every key once, in an order without a pattern.
    let keys: [Int]
    /// A hundred keys, over and over.
    let fewKeys: [Int]

    init(workload: Workload) {
        self.workload = workload
        let count = workload.people.count
        // 7919 is a prime that divides no count of people here, so that every key comes once.
        keys = (0..<count).map { $0 * 7919 % count }
        fewKeys = (0..<count).map { $0 % 100 * 7 }
    }

    /// Turns nanoseconds a row back into milliseconds for all of them.
    var rowsToMs: Double { Double(workload.people.count) / 1_000_000 }

    /// Nanoseconds a row of some work on the floor.
    func raw(isFilled: Bool = true, _ work: (RawPeople) throws -> Void) async throws -> Double {
        try await workload.withFolder { folder in
            let people = try RawPeople(path: folder.appending(path: "people.sqlite").path)
            if isFilled { try people.insert(workload.people) }
            return try nanoseconds { try work(people) } / Double(workload.people.count)
        }
    }

    /// Nanoseconds a row of some work on a realm.
    func ours(
        isFilled: Bool = true,
        before: (Realm) throws -> Void = { _ in },
        _ work: (Realm) throws -> Void
    ) async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder)
            if isFilled { try insert(realm) }
            try before(realm)
            return try nanoseconds { try work(realm) } / Double(workload.people.count)
        }
    }

    func insert(_ realm: Realm) throws { try fill(realm, with: workload.people[...]) }

    func sumScores(of realm: Realm) {
        var sum = 0.0
        for person in realm.objects(Person.self) { sum += person.score }
        blackHole(sum)
    }

    func countHighScores(of realm: Realm) {
        blackHole(realm.objects(Person.self).where { $0.score >= 90 }.count)
    }

    func lookUp(_ keys: [Int], in realm: Realm) {
        for key in keys { blackHole(realm.object(ofType: Person.self, forPrimaryKey: key)?.score) }
    }

    func lookUp(_ keys: [Int], in people: RawPeople) throws {
        try people.reading {
            for key in keys { blackHole(people.read(key: key)) }
        }
    }

    func rawCount() async throws -> Double {
        try await raw { blackHole(try $0.count(scoreAtLeast: 90)) } * rowsToMs
    }

    func rankedCount() async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder)
            try realm.write {
                for person in workload.people { realm.add(RankedPerson(person)) }
            }
            let time = nanoseconds { blackHole(realm.objects(RankedPerson.self).where { $0.tenths >= 900 }.count) }
            return time / 1_000_000
        }
    }

    func rawTransactions() async throws -> Double {
        try await workload.withFolder { folder in
            let people = try RawPeople(path: folder.appending(path: "people.sqlite").path)
            try people.insert(workload.people)
            return try medianNanoseconds(ofSteps: workload.commits) { turn in
                try people.rename(key: turn, to: "Renamed \(turn)")
            } / 1000
        }
    }

    func transactions(scopes: Int) async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder, records: scopes > 0)
            try insert(realm)
            let open = try beginScopes(scopes, of: realm)
            let people = (0..<workload.commits).compactMap { realm.object(ofType: Person.self, forPrimaryKey: $0) }
            let time = try medianNanoseconds(ofSteps: people.count) { turn in
                try realm.write { people[turn].name = "Renamed \(turn)" }
            }
            for scope in open { scope.cancel() }
            return time / 1000
        }
    }
}
