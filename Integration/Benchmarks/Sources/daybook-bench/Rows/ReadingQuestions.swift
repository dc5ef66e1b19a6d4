import BenchmarkFloors
import Daybook

/// Questions whose answer is objects that are read, sorted or not.
let readingQuestions: [Question] = [
    Question(
        "filter and read the 10 % that match, one property",
        .first,
        goal: 0.41,
        reads: { $0 / 10 },
        floor: { people, _ in
            let query = try people.query("SELECT employeeId FROM person WHERE score >= ?")
            return { _ in query.sumOfFirstColumn(.real(90)) }
        },
        ours: { realm, _ in
            { _ in realm.objects(Person.self).where { $0.score >= 90 }.reduce(0) { $0 &+ $1.employeeId } }
        }
    ),
    Question(
        "query of 10000 objects, six properties",
        .first,
        goal: 0.4,
        reads: { _ in 10_000 },
        floor: { people, _ in
            let query = try people.query("SELECT * FROM person WHERE _id < ?")
            return { _ in query.sumOfPeople(.int(10_000)) }
        },
        ours: { realm, _ in
            { _ in realm.objects(Person.self).where { $0._id < 10_000 }.reduce(0) { $0 &+ digest($1) } }
        }
    ),
    Question(
        "read all, one property",
        .first,
        goal: 1.5,
        floor: { people, _ in
            let query = try people.query("SELECT employeeId FROM person")
            return { _ in query.sumOfFirstColumn() }
        },
        ours: { realm, _ in { _ in realm.objects(Person.self).reduce(0) { $0 &+ $1.employeeId } } }
    ),
    Question(
        "read all, six properties",
        .first,
        goal: 0.56,
        floor: { people, _ in
            let query = try people.query("SELECT * FROM person")
            return { _ in query.sumOfPeople() }
        },
        ours: { realm, _ in { _ in realm.objects(Person.self).reduce(0) { $0 &+ digest($1) } } }
    ),
    Question(
        "sort by a number, read all",
        .first,
        goal: 0.95,
        floor: { people, _ in
            let query = try people.query("SELECT employeeId FROM person ORDER BY score")
            return { _ in query.sumOfFirstColumn() }
        },
        ours: { realm, _ in
            { _ in realm.objects(Person.self).sorted(by: \.score).reduce(0) { $0 &+ $1.employeeId } }
        }
    ),
    Question(
        "sort by a number, read the first 20",
        .first,
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
    ),
    Question(
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
    ),
    Question(
        "distinct by a number, count",
        .first,
        goal: 1.1,
        floor: { people, _ in
            let query = try people.query("SELECT count(DISTINCT score) FROM person")
            return { _ in Int(query.number()) }
        },
        ours: { realm, _ in { _ in realm.objects(Person.self).distinct(by: [\.score]).count } }
    ),
]

/// The same number of a person as the floor makes of its six columns.
private func digest(_ person: Person) -> Int {
    let name = person.name.utf8
    var sum = person._id &+ person.employeeId &+ (person.active ? 1 : 0) &+ Int(person.score)
    sum &+= Int(name.first ?? 0) &+ name.count
    if let user = person.userId?.utf8 { sum &+= Int(user.first ?? 0) &+ user.count }
    return sum
}
