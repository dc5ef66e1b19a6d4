import BenchmarkFloors
import Daybook

/// The model of the baseline.
final class Person: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var name: String
    @Persisted var employeeId: Int
    @Persisted var score: Double
    @Persisted var userId: String?
    @Persisted var active: Bool

    convenience init(_ sample: SamplePerson) {
        self.init()
        _id = sample.key
        name = sample.name
        employeeId = sample.employeeId
        score = sample.score
        userId = sample.userId
        active = sample.isActive
    }
}

/// The same model with the employee's number indexed, and the score as an indexed number of tenths, because numbers with a fraction have no index.
final class RankedPerson: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var name: String
    @Persisted(indexed: true) var employeeId: Int
    @Persisted(indexed: true) var tenths: Int
    @Persisted var userId: String?
    @Persisted var active: Bool

    convenience init(_ sample: SamplePerson) {
        self.init()
        _id = sample.key
        name = sample.name
        employeeId = sample.employeeId
        tenths = Int((sample.score * 10).rounded())
        userId = sample.userId
        active = sample.isActive
    }
}

/// Lists of numbers and of links.
final class Roster: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var numbers: List<Int>
    @Persisted var people: List<Person>
}

/// Links to a person.
final class Shift: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var person: Person?
}

/// Something else to look at, so that reads of two classes can take turns.
final class Room: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var name: String
}

/// An object of ten properties, as many as one of an app has.
final class Delivery: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var street: String
    @Persisted var city: String
    @Persisted var parcels: Int
    @Persisted var weight: Double
    @Persisted var isPaid: Bool
    @Persisted var due: Date
    @Persisted var note: String
    @Persisted var floor: Int
    @Persisted var driver: String?
}
