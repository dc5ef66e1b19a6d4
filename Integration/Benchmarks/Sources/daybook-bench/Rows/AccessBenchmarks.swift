import BenchmarkFloors
import BenchmarkHarness
import Daybook

/// The rows about a property of one object, read again and again as a list on the screen does.
func accessBenchmarks(_ workload: Workload) -> [Benchmark] {
    let access = AccessWork(workload: workload)
    return [
        Benchmark("read an Int of a managed object", unit: "ns", target: .atMost(6)) {
            try await access.managed { person in
                var sum = 0
                for _ in 0..<access.count { sum &+= person.employeeId }
                blackHole(sum)
            }
        },
        Benchmark(
            "read a short String of a managed object (floor: String from bytes)",
            unit: "ns",
            target: .atMost(15),
            floor: { access.makingStrings() },
            ours: {
                try await access.managed { person in
                    var sum = 0
                    for _ in 0..<access.count { sum &+= person.name.utf8.count }
                    blackHole(sum)
                }
            }
        ),
        Benchmark("read an Int of an unmanaged object", unit: "ns", target: .atMost(1)) {
            access.unmanaged { person in
                var sum = 0
                for _ in 0..<access.count { sum &+= person.employeeId }
                blackHole(sum)
            }
        },
        Benchmark("set an Int of an unmanaged object", unit: "ns", target: .atMost(1)) {
            access.unmanaged { person in
                for number in 0..<access.count { person.employeeId = number }
            }
        },
    ]
}

/// The work behind the rows; each figure is nanoseconds for one access.
private struct AccessWork: Sendable {
    let workload: Workload

    /// How many accesses a turn has; one takes as long as a few instructions of the processor.
    var count: Int { workload.events * 100 }

    func managed(_ work: (Person) -> Void) async throws -> Double {
        try await workload.withFolder { folder in
            let realm = try openRealm(in: folder)
            try fill(realm, with: workload.people.prefix(10))
            guard let person = realm.objects(Person.self).first else { throw BenchError.noObject }
            return nanoseconds { work(person) } / Double(count)
        }
    }

    /// What the standard library needs to check and copy the bytes of a name, which no reader of a file can leave out.
    func makingStrings() -> Double {
        Array(workload.people[0].name.utf8)
            .withUnsafeBytes { bytes in
                nanoseconds {
                    var sum = 0
                    for _ in 0..<count { sum &+= String(decoding: bytes, as: UTF8.self).utf8.count }
                    blackHole(sum)
                } / Double(count)
            }
    }

    func unmanaged(_ work: (Person) -> Void) -> Double {
        let person = Person(workload.people[0])
        defer { blackHole(person) }
        return nanoseconds { work(person) } / Double(count)
    }
}
