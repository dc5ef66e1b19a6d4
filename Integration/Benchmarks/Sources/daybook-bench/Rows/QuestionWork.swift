import BenchmarkFloors
import BenchmarkHarness
import Daybook

/// A question with a count of objects, and how it is measured.
struct QuestionWork: Sendable {
    let question: Question
    let count: Int
    let files: FilledFiles

    /// The figure of the plain file; all of a turn is one transaction, as all that an instance reads is of one version.
    func floor() throws -> Double {
        let people = try files.rawPeople(question.kind, in: files.folder(question.kind, count: count))
        let turn = try question.floor(people, count)
        var figure = 0.0
        try people.reading { figure = measure(turn) }
        return figure
    }

    /// The figure of the realm, whose answer is compared with that of the plain file.
    func ours() async throws -> Double {
        // A cache that instances of a file share knows nothing of a copy.
        guard question.moment == .first else {
            return try measured(openRealm(in: files.folder(question.kind, count: count)))
        }
        return try await files.withCopy(question.kind, count: count) { try measured($0) }
    }

    private func measured(_ realm: Realm) throws -> Double {
        let turn = question.ours(realm, count)
        let figure = measure(turn)
        let people = try files.rawPeople(question.kind, in: files.folder(question.kind, count: count))
        let expected = try question.floor(people, count)
        for number in 1...2 where turn(number) != expected(number) { throw BenchError.wrongAnswer }
        return figure
    }

    /// Nanoseconds of what the figure is divided by.
    private func measure(_ turn: Question.Turn) -> Double {
        var number = 0
        func ask() -> Double {
            nanoseconds {
                for _ in 0..<question.repetitions {
                    number += 1
                    blackHole(turn(number))
                }
            } / Double(question.repetitions * question.reads(count))
        }
        switch question.moment {
        case .first: return ask()
        case .second:
            _ = ask()
            return ask()
        case .again:
            for _ in 0..<2 { _ = ask() }
            // A million objects are slow enough to be measured in few turns.
            return median((0..<(count >= 1_000_000 ? 3 : 5)).map { _ in ask() })
        }
    }
}
