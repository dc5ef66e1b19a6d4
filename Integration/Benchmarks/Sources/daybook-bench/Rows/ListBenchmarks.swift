import BenchmarkFloors
import BenchmarkHarness
import Daybook

/// Lists of numbers and of links, beside the same rows in SQLite through its C API.
func listBenchmarks(_ workload: Workload) -> [Benchmark] {
    let lists = ListWork(workload: workload)
    let middles = workload.listCounts
        .map { count in
            Benchmark(
                "list of \(count): insert in the middle",
                unit: "us each",
                target: .timesFloor(6),
                step: GrowthStep("list: insert in the middle", size: count),
                floor: {
                    try await lists.raw(count) { list, step in try list.insert(step, at: count / 2 * 1024 + step + 1) }
                },
                ours: { try await lists.ours(count) { $0.numbers.insert($1, at: count / 2) } }
            )
        }
    return middles + [
        Benchmark(
            "list: insert at the front",
            unit: "us each",
            target: .timesFloor(6),
            floor: { try await lists.raw { try $0.insert($1, at: -1 - $1) } },
            ours: { try await lists.ours { $0.numbers.insert($1, at: 0) } }
        ),
        Benchmark(
            "list: remove at the front",
            unit: "us each",
            target: .timesFloor(6),
            floor: { try await lists.raw { try $0.remove(at: $1 * 1024) } },
            ours: { try await lists.ours { roster, _ in roster.numbers.remove(at: 0) } }
        ),
        Benchmark(
            "list: append a number",
            unit: "us each",
            target: .timesFloor(2),
            floor: { try await lists.raw { try $0.insert($1, at: (ListWork.count + $1) * 1024) } },
            ours: { try await lists.ours(isRead: false) { $0.numbers.append($1) } }
        ),
        Benchmark(
            "list: append a link",
            unit: "us each",
            target: .timesFloor(2),
            floor: {
                try await lists.raw(isIndexed: true) { try $0.insert($1 % 1000, at: (ListWork.count + $1) * 1024) }
            },
            ours: { try await lists.appendingLinks() }
        ),
        Benchmark(
            "list: load and iterate numbers",
            unit: "ns each",
            target: .timesFloor(1),
            floor: { try await lists.rawScan() },
            ours: { try await lists.iterating { $0.numbers.reduce(0, &+) } }
        ),
        Benchmark(
            "list: load and iterate links, one property (floor: numbers)",
            unit: "ns each",
            target: .timesFloor(5),
            floor: { try await lists.rawScan() },
            ours: { try await lists.iterating(links: true) { $0.people.reduce(0) { $0 &+ $1.employeeId } } }
        ),
        Benchmark("list: iterate numbers again", unit: "ns each", target: .atMost(52)) {
            try await lists.iterating(isRead: true) { $0.numbers.reduce(0, &+) }
        },
        Benchmark("list: read a number by index", unit: "ns", target: .atMost(84)) {
            try await lists.iterating(isRead: true) { roster in
                var sum = 0
                for index in 0..<ListWork.count { sum &+= roster.numbers[index &* 7919 % ListWork.count] }
                return sum
            }
        },
        Benchmark(
            "update one property of every object",
            unit: "us each",
            target: .timesFloor(2),
            floor: { try await lists.rawUpdates() },
            ours: { try await lists.updates() }
        ),
    ]
}

/// The work behind the rows; each turn has files of its own.
struct ListWork: Sendable {
    let workload: Workload
    /// How many elements a list has where nothing else is said.
    static let count = 100_000
    /// How many changes a turn makes, in one transaction.
    private var changes: Int { workload.commits }

    /// Microseconds of a change of the floor.
    func raw(
        _ count: Int = Self.count,
        isIndexed: Bool = false,
        _ change: (RawList, Int) throws -> Void
    ) async throws -> Double {
        try await workload.withFolder { folder in
            let list = try filled(folder.appending(path: "list.sqlite").path, count, isIndexed: isIndexed)
            return try nanoseconds {
                try list.writing { for step in 0..<changes { try change(list, step) } }
            } / Double(changes) / 1000
        }
    }

    /// Microseconds of a change of a list of numbers, which was read before or not; a change is given the list's object and its number.
    func ours(
        _ count: Int = Self.count,
        isRead: Bool = true,
        _ change: (Roster, Int) throws -> Void
    ) async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder)
            let roster = try realm.write {
                realm.create(Roster.self, value: ["_id": 1, "numbers": Array(0..<count)])
            }
            if isRead { blackHole(roster.numbers.last) }
            return try microseconds(realm) { try change(roster, $0) }
        }
    }

    func appendingLinks() async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder)
            let roster = try rosterOfPeople(realm)
            let people = Array(realm.objects(Person.self).prefix(1000))
            return try microseconds(realm) { roster.people.append(people[$0 % people.count]) }
        }
    }

    private func microseconds(_ realm: Realm, _ change: (Int) throws -> Void) throws -> Double {
        // The commit behind a large one moves it into the file, which is none of these changes' work; SQLite did so when it filled its own.
        try realm.write { _ = realm.create(Roster.self, value: ["_id": 2]) }
        return try nanoseconds {
            try realm.write { for step in 0..<changes { try change(step) } }
        } / Double(changes) / 1000
    }

    func rawScan(_ count: Int = Self.count) async throws -> Double {
        try await workload.withFolder { folder in
            let list = try filled(folder.appending(path: "list.sqlite").path, count, isIndexed: false)
            return nanoseconds { blackHole(list.readAll()) } / Double(count)
        }
    }

    /// Nanoseconds of an element; with what it takes to load the list, unless it was read before.
    func iterating(
        _ count: Int = Self.count,
        links: Bool = false,
        isRead: Bool = false,
        _ work: (Roster) -> Int
    ) async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder)
            let roster =
                links
                ? try rosterOfPeople(realm)
                : try realm.write { realm.create(Roster.self, value: ["_id": 1, "numbers": Array(0..<count)]) }
            if isRead { blackHole(roster.numbers.last) }
            return nanoseconds { blackHole(work(roster)) } / Double(count)
        }
    }

    private func rosterOfPeople(_ realm: Realm) throws -> Roster {
        try fill(realm, with: SamplePerson.people(count: 1000)[...])
        let people = Array(realm.objects(Person.self))
        return try realm.write {
            let roster = realm.create(Roster.self, value: ["_id": 1])
            for _ in 0..<(Self.count / people.count) { roster.people.append(objectsIn: people) }
            return roster
        }
    }

    func rawUpdates() async throws -> Double {
        try await workload.withFolder { folder in
            let people = try RawPeople(path: folder.appending(path: "people.sqlite").path)
            try people.insert(workload.people)
            return try nanoseconds { try people.setScores(to: 1) } / Double(workload.people.count) / 1000
        }
    }

    func updates() async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder)
            try fill(realm, with: workload.people[...])
            return try nanoseconds {
                try realm.write { for person in realm.objects(Person.self) { person.score = 1 } }
            } / Double(workload.people.count) / 1000
        }
    }

    private func filled(_ path: String, _ count: Int, isIndexed: Bool) throws -> RawList {
        let list = try RawList(path: path, isIndexed: isIndexed)
        try list.writing { for number in 0..<count { try list.insert(number, at: number * 1024) } }
        return list
    }
}
