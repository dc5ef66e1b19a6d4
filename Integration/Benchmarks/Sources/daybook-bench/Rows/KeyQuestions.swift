import BenchmarkFloors
import Daybook

/// Questions that an index answers, asked many times.
let keyQuestions: [Question] = [
    indexed("indexed equality, a new value each time", goal: 2.4) { turn, count in turn &* 7919 % count },
    indexed("indexed equality, the same value", goal: 3.4) { _, _ in 5 },
    lookUp("look-up by key, cold", .first, among: { $0 }, times: { min($0, 100_000) }, goal: 0.64),
    lookUp("look-up by key, repeated", .again, among: { _ in 100 }, times: { _ in 10_000 }, goal: 0.13),
]

private func indexed(_ name: String, goal: Double, value: @escaping @Sendable (_ turn: Int, _ count: Int) -> Int)
    -> Question
{
    Question(
        name,
        of: .ranked,
        repetitions: 1000,
        unit: "ns",
        goal: goal,
        reads: { _ in 1 },
        floor: { people, count in
            let query = try people.query("SELECT count(*) FROM person WHERE employeeId = ?")
            return { Int(query.number(.int(1_000_000 + value($0, count)))) }
        },
        ours: { realm, count in
            { turn in
                let number = 1_000_000 + value(turn, count)
                return realm.objects(RankedPerson.self).where { $0.employeeId == number }.count
            }
        }
    )
}

/// One property of objects by their keys, in an order without a pattern.
private func lookUp(
    _ name: String,
    _ moment: Question.Moment,
    among keys: @escaping @Sendable (_ count: Int) -> Int,
    times: @escaping @Sendable (_ count: Int) -> Int,
    goal: Double
) -> Question {
    Question(
        name,
        moment,
        unit: "ns",
        goal: goal,
        reads: times,
        floor: { people, count in
            let query = try people.query("SELECT employeeId FROM person WHERE _id = ?")
            return { _ in
                (0..<times(count)).reduce(0) { $0 &+ query.sumOfFirstColumn(.int($1 &* 7919 % keys(count))) }
            }
        },
        ours: { realm, count in
            { _ in
                (0..<times(count))
                    .reduce(0) { sum, number in
                        let person = realm.object(ofType: Person.self, forPrimaryKey: number &* 7919 % keys(count))
                        return sum &+ (person?.employeeId ?? 0)
                    }
            }
        }
    )
}
