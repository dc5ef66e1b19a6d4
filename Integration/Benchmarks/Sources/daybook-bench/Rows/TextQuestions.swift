import BenchmarkFloors
import Daybook

/// Questions about texts without an index.
let textQuestions: [Question] = [
    .count(
        "CONTAINS, again",
        goal: 0.17,
        where: "instr(name, ?)",
        binding: { .text("9\(digit($0))") },
        ours: { realm, turn in realm.objects(Person.self).where { $0.name.contains("9\(digit(turn))") }.count }
    ),
    .count(
        "CONTAINS[c], again",
        goal: 0.18,
        where: "name LIKE ?",
        binding: { .text("%ON 9\(digit($0))%") },
        ours: { realm, turn in
            realm.objects(Person.self).where { $0.name.contains("ON 9\(digit(turn))", options: .caseInsensitive) }.count
        }
    ),
    Question(
        "BEGINSWITH, again",
        goal: 0.25,
        floor: { people, _ in
            let query = try people.query("SELECT count(*) FROM person WHERE name >= ? AND name < ?")
            // What follows after all that begin with a digit begins with the next one; after 9 comes the colon.
            return { turn in
                let next = digit(turn) == 9 ? ":" : "\(digit(turn) + 1)"
                return Int(query.number(.text("Person 9\(digit(turn))"), .text("Person 9" + next)))
            }
        },
        ours: { realm, _ in
            { turn in realm.objects(Person.self).where { $0.name.starts(with: "Person 9\(digit(turn))") }.count }
        }
    ),
    .count(
        "text ==, again",
        goal: 0.19,
        where: "name = ?",
        binding: { .text("Person \(digit($0))") },
        ours: { realm, turn in realm.objects(Person.self).where { $0.name == "Person \(digit(turn))" }.count }
    ),
]

private func digit(_ turn: Int) -> Int { turn % 10 }
