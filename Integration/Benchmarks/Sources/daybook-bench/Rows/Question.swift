import BenchmarkFloors
import Daybook

/// A question that a realm and a plain SQLite file are asked alike.
struct Question: Sendable {
    /// When a question is measured.
    enum Moment: Sendable {
        /// Once, in a realm of which nothing was read.
        case first
        /// Once, after one like it.
        case second
        /// Several times, after two like it; the median counts.
        case again
    }

    /// Asks once and returns something that depends on all that was read; the number, which no other turn has, makes the constants.
    typealias Turn = (Int) -> Int

    /// What is asked: the name of its row, without the count of objects.
    let name: String
    /// Who is asked about.
    let kind: FilledFiles.Kind
    /// When it is measured.
    let moment: Moment
    /// How many times a turn asks, where asking once takes too little time to be measured.
    let repetitions: Int
    /// What one asking's time is divided by.
    let reads: @Sendable (_ count: Int) -> Int
    /// The unit.
    let unit: String
    /// What is to be reached with 100,000 objects, as a multiple of the floor.
    let goal: Double
    /// Prepares the question for the plain file.
    let floor: @Sendable (RawPeople, _ count: Int) throws -> Turn
    /// Prepares the question for the realm.
    let ours: @Sendable (Realm, _ count: Int) -> Turn

    init(
        _ name: String,
        of kind: FilledFiles.Kind = .people,
        _ moment: Moment = .again,
        repetitions: Int = 1,
        unit: String = "ns/object",
        goal: Double,
        reads: @escaping @Sendable (_ count: Int) -> Int = { $0 },
        floor: @escaping @Sendable (RawPeople, _ count: Int) throws -> Turn,
        ours: @escaping @Sendable (Realm, _ count: Int) -> Turn
    ) {
        self.name = name
        self.kind = kind
        self.moment = moment
        self.repetitions = repetitions
        self.unit = unit
        self.goal = goal
        self.reads = reads
        self.floor = floor
        self.ours = ours
    }

    /// A question for a number of objects that fulfil a condition.
    static func count(
        _ name: String,
        of kind: FilledFiles.Kind = .people,
        _ moment: Moment = .again,
        goal: Double,
        where sql: String,
        binding parameter: @escaping @Sendable (Int) -> RawQuery.Parameter,
        ours: @escaping @Sendable (Realm, Int) -> Int
    ) -> Question {
        Question(
            name,
            of: kind,
            moment,
            goal: goal,
            floor: { people, _ in
                let query = try people.query("SELECT count(*) FROM person WHERE \(sql)")
                return { Int(query.number(parameter($0))) }
            },
            ours: { realm, _ in { ours(realm, $0) } }
        )
    }
}
