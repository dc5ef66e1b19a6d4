import BenchmarkFloors
import BenchmarkHarness
import Daybook

/// Links from one object to another, beside look-ups of the same rows in SQLite through its C API.
func linkBenchmarks(_ workload: Workload) -> [Benchmark] {
    let links = LinkWork(workload: workload)
    return [
        Benchmark(
            "follow a link, few targets (floor: look-up)",
            unit: "ns",
            target: .timesFloor(0.5),
            floor: { try await links.raw(targets: 100) },
            ours: { try await links.ours(targets: 100) }
        ),
        Benchmark(
            "follow a link, a target each (floor: look-up)",
            unit: "ns",
            target: .timesFloor(1.5),
            floor: { try await links.raw(targets: workload.people.count) },
            ours: { try await links.ours(targets: workload.people.count) }
        ),
    ]
}

/// The work behind the rows: as many links as there are people, each followed once.
private struct LinkWork: Sendable {
    let workload: Workload

    private func target(_ number: Int, of targets: Int) -> Int { number * 7919 % targets }

    func raw(targets: Int) async throws -> Double {
        try await workload.withFolder { folder in
            let people = try RawPeople(path: folder.appending(path: "people.sqlite").path)
            try people.insert(workload.people)
            return try nanoseconds {
                try people.reading {
                    for number in 0..<workload.people.count { blackHole(people.read(key: target(number, of: targets))) }
                }
            } / Double(workload.people.count)
        }
    }

    func ours(targets: Int) async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder)
            try fill(realm, with: workload.people[...])
            let people = Array(realm.objects(Person.self).prefix(targets))
            try realm.write {
                for number in 0..<workload.people.count {
                    let shift = Shift()
                    shift._id = number
                    shift.person = people[target(number, of: targets)]
                    realm.add(shift)
                }
            }
            let shifts = Array(realm.objects(Shift.self))
            return nanoseconds {
                var sum = 0
                for shift in shifts { sum &+= shift.person?.employeeId ?? 0 }
                blackHole(sum)
            } / Double(shifts.count)
        }
    }
}
