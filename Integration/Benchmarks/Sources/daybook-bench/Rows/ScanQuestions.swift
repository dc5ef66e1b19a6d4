import BenchmarkFloors
import Daybook

/// Questions that nothing but a look at every object can answer: conditions on numbers, and aggregates.
let scanQuestions: [Question] =
    [
        ("count with a filter, the first time", Question.Moment.first, 1.1),
        ("count with a filter, the second time", .second, 0.08),
        ("count with a filter, again", .again, 0.08),
    ]
    .map { name, moment, goal in
        Question.count(
            name,
            moment,
            goal: goal,
            where: "score >= ?",
            binding: { .real(least(90, $0)) },
            ours: { realm, turn in realm.objects(Person.self).where { $0.score >= least(90, turn) }.count }
        )
    }
    + [
        .count(
            "count with AND, again",
            goal: 0.12,
            where: "score >= ? AND active = 1",
            binding: { .real(least(50, $0)) },
            ours: { realm, turn in
                realm.objects(Person.self).where { $0.score >= least(50, turn) && $0.active == true }.count
            }
        ),
        .count(
            "count with OR, again",
            goal: 0.17,
            where: "score >= ? OR employeeId < 1005000",
            binding: { .real(least(90, $0)) },
            ours: { realm, turn in
                realm.objects(Person.self).where { $0.score >= least(90, turn) || $0.employeeId < 1_005_000 }.count
            }
        ),
        aggregate("sum, again", goal: 0.1, "sum") { people, isScore in
            isScore ? people.sum(of: \.score) : Double(people.sum(of: \.employeeId))
        },
        aggregate("average, again", goal: 0.1, "avg") { people, isScore in
            (isScore ? people.average(of: \.score) : people.average(of: \.employeeId)) ?? 0
        },
        aggregate("maximum, again", goal: 0.09, "max") { people, isScore in
            isScore ? people.max(of: \.score) ?? 0 : Double(people.max(of: \.employeeId) ?? 0)
        },
    ]

/// A score that is a little different in each turn, and found in as many objects.
private func least(_ score: Double, _ turn: Int) -> Double { score + Double(turn % 10) / 100 }

/// An aggregate over all objects, of numbers with a fraction and whole ones in turn.
private func aggregate(
    _ name: String,
    goal: Double,
    _ function: String,
    ours: @escaping @Sendable (Results<Person>, _ isScore: Bool) -> Double
) -> Question {
    Question(
        name,
        goal: goal,
        floor: { people, _ in
            let queries = try ["employeeId", "score"].map { try people.query("SELECT \(function)(\($0)) FROM person") }
            return { rounded(queries[$0 % 2].number()) }
        },
        ours: { realm, _ in { rounded(ours(realm.objects(Person.self), $0 % 2 == 1)) } }
    )
}

/// A number without the last digits, which depend on the order of additions.
private func rounded(_ number: Double) -> Int { Int((number * 1000).rounded()) }
