import BenchmarkFloors
import Daybook

/// Questions whose answer is shown in another form: through a projection, or in sections.
///
/// Their floors are those of the plain questions.
let viewQuestions: [Question] = [readProjected, sectioned]

private final class PersonView: Projection<Person> {
    @Projected(\Person.employeeId) var number
}

private let readProjected = Question(
    "read all through a projection, one property, again",
    .again,
    goal: 3,
    floor: { people, _ in
        let query = try people.query("SELECT employeeId FROM person")
        return { _ in query.sumOfFirstColumn() }
    },
    ours: { realm, _ in { _ in realm.objects(PersonView.self).reduce(0) { $0 &+ $1.number } } }
)

private let sectioned = Question(
    "sort by a number, in sections of its whole part, read all, again",
    .again,
    goal: 2.5,
    floor: { people, _ in
        let query = try people.query("SELECT employeeId FROM person ORDER BY score")
        return { _ in query.sumOfFirstColumn() }
    },
    ours: { realm, _ in
        { _ in
            let sections = realm.objects(Person.self).sectioned(by: { Int($0.score) }, sortDescriptors: ["score"])
            return sections.reduce(0) { sum, section in section.reduce(sum) { $0 &+ $1.employeeId } }
        }
    }
)
