import BenchmarkFloors
import Daybook

/// Events as a scope records them, without a realm.
struct SampleEvents {
    private let ids = ObjectIdGenerator(clock: SystemClock(), seed: 1)
    private let start = SystemClock().now()

    /// Makes the event of a read that found some people.
    func event(_ number: Int, about people: [SamplePerson]) -> AuditEvent {
        let rows = people.map { person in
            let user = person.userId.map { "\"\($0)\"" } ?? "null"
            return """
                {"_id":\(person.key),"active":\(person.isActive),"employeeId":\(person.employeeId),\
                "name":"\(person.name)","score":\(person.score),"userId":\(user)}
                """
        }
        // Some microseconds lie between two reads, never the same number.
        let passed = UInt64(number) * 900 + UInt64(number * 7919 % 500)
        return AuditEvent(
            id: ids.next(),
            clock: ClockReading(
                wall: EventInstant(microseconds: start.wall.microseconds + Int64(passed / 1000)),
                monotonicNanoseconds: start.monotonicNanoseconds + passed,
                boot: start.boot
            ),
            activity: "benchmark",
            event: "read",
            data: Array("{\"type\":\"Person\",\"value\":[\(rows.joined(separator: ","))]}".utf8),
            scopeCommitted: start.wall
        )
    }
}
