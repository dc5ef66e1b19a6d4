import BenchmarkFloors
import Daybook

/// Questions whose answer is objects that are read, sorted or not; some the first time, and again when columns are in memory.
let readingQuestions: [Question] =
    bothTimes("filter and read the 10 % that match, one property", filtered)
    + [query, firstOfAll]
    + bothTimes("read all, one property", readAll)
    + [readWhole]
    + bothTimes("sort by a number, read all", sorted)
    + bothTimes("sort by a number, read the first 20", firstSorted)
    + [sortedByText, distinct]

/// A question in a file of which nothing was read, and again.
private func bothTimes(_ name: String, _ ask: (String, Question.Moment) -> Question) -> [Question] {
    [ask(name, .first), ask("\(name), again", .again)]
}

private func filtered(_ name: String, _ moment: Question.Moment) -> Question {
    Question(
        name,
        moment,
        goal: 0.41,
        reads: { $0 / 10 },
        floor: { people, _ in
            let query = try people.query("SELECT employeeId FROM person WHERE score >= ?")
            return { _ in query.sumOfFirstColumn(.real(90)) }
        },
        ours: { realm, _ in
            { _ in realm.objects(Person.self).where { $0.score >= 90 }.reduce(0) { $0 &+ $1.employeeId } }
        }
    )
}

private let query = Question(
    "query of 10000 objects, six properties",
    .first,
    goal: 0.4,
    reads: { _ in 10_000 },
    floor: { people, _ in
        let query = try people.query("SELECT * FROM person WHERE _id < ?")
        return { _ in query.sumOfPeople(.int(10_000)) }
    },
    ours: { realm, _ in { _ in realm.objects(Person.self).where { $0._id < 10_000 }.reduce(0) { $0 &+ digest($1) } } }
)

private let firstOfAll = Question(
    "the first of all objects, one property",
    repetitions: 1000,
    unit: "ns",
    goal: 10,
    reads: { _ in 1 },
    floor: { people, _ in
        let query = try people.query("SELECT employeeId FROM person LIMIT 1")
        return { _ in query.sumOfFirstColumn() }
    },
    ours: { realm, _ in { _ in realm.objects(Person.self)[0].employeeId } }
)

private func readAll(_ name: String, _ moment: Question.Moment) -> Question {
    Question(
        name,
        moment,
        goal: 1.5,
        floor: { people, _ in
            let query = try people.query("SELECT employeeId FROM person")
            return { _ in query.sumOfFirstColumn() }
        },
        ours: { realm, _ in { _ in realm.objects(Person.self).reduce(0) { $0 &+ $1.employeeId } } }
    )
}

private let readWhole = Question(
    "read all, six properties",
    .first,
    goal: 0.56,
    floor: { people, _ in
        let query = try people.query("SELECT * FROM person")
        return { _ in query.sumOfPeople() }
    },
    ours: { realm, _ in { _ in realm.objects(Person.self).reduce(0) { $0 &+ digest($1) } } }
)

private func sorted(_ name: String, _ moment: Question.Moment) -> Question {
    Question(
        name,
        moment,
        goal: 0.95,
        floor: { people, _ in
            let query = try people.query("SELECT employeeId FROM person ORDER BY score")
            return { _ in query.sumOfFirstColumn() }
        },
        ours: { realm, _ in
            { _ in realm.objects(Person.self).sorted(by: \.score).reduce(0) { $0 &+ $1.employeeId } }
        }
    )
}

private func firstSorted(_ name: String, _ moment: Question.Moment) -> Question {
    Question(
        name,
        moment,
        goal: 1,
        floor: { people, _ in
            let query = try people.query("SELECT score FROM person ORDER BY score DESC LIMIT 20")
            return { _ in query.sumOfFirstColumn() }
        },
        ours: { realm, _ in
            { _ in
                let people = realm.objects(Person.self).sorted(by: \.score, ascending: false)
                return people[0..<20].reduce(0) { $0 &+ Int($1.score) }
            }
        }
    )
}

private let sortedByText = Question(
    "sort by a text, read all",
    .first,
    goal: 3.4,
    floor: { people, _ in
        let query = try people.query("SELECT name FROM person ORDER BY name")
        return { _ in query.bytesOfFirstColumn() }
    },
    ours: { realm, _ in
        { _ in realm.objects(Person.self).sorted(by: \.name).reduce(0) { $0 &+ $1.name.utf8.count } }
    }
)

private let distinct = Question(
    "distinct by a number, count",
    .first,
    goal: 1.1,
    floor: { people, _ in
        let query = try people.query("SELECT count(DISTINCT score) FROM person")
        return { _ in Int(query.number()) }
    },
    ours: { realm, _ in { _ in realm.objects(Person.self).distinct(by: [\.score]).count } }
)

/// The same number of a person as the floor makes of its six columns.
private func digest(_ person: Person) -> Int {
    let name = person.name.utf8
    var sum = person._id &+ person.employeeId &+ (person.active ? 1 : 0) &+ Int(person.score)
    sum &+= Int(name.first ?? 0) &+ name.count
    if let user = person.userId?.utf8 { sum &+= Int(user.first ?? 0) &+ user.count }
    return sum
}
