public import Foundation
public import ObjectStore

/// Models that tests share: people with dogs and an address, and one class with every type of property.
public enum Sample {
    /// All classes.
    public static let types: [ObjectBase.Type] = [
        Person.self, Dog.self, Home.self, Address.self, Everything.self, Node.self, Visit.self, Counter.self,
    ]
}

/// The model of the measurements: six scalars.
public class Person: Object {
    /// The primary key.
    @Persisted(primaryKey: true) public var _id: Int
    /// A name.
    @Persisted public var name: String
    /// A number.
    @Persisted public var employeeId: Int
    /// A fraction.
    @Persisted public var score: Double
    /// An optional text.
    @Persisted public var userId: String?
    /// A truth value.
    @Persisted public var active: Bool

    /// Creates a person whose other values follow from a number.
    public static func numbered(_ number: Int) -> Person {
        let person = Person()
        person._id = number
        person.name = "Person \(number)"
        person.employeeId = number * 7
        person.score = Double(number) / 3
        person.userId = number.isMultiple(of: 5) ? nil : "user-\(number)"
        person.active = number.isMultiple(of: 2)
        return person
    }
}

/// An object without a primary key that a home links to.
public class Dog: Object {
    /// A name.
    @Persisted(indexed: true) public var name: String
    /// An age in years.
    @Persisted public var age: Int
}

/// An object with links, lists and embedded objects.
public class Home: Object {
    /// The primary key.
    @Persisted(primaryKey: true) public var name: String
    /// A link to an object with a primary key.
    @Persisted public var owner: Person?
    /// A link to an object without one.
    @Persisted public var watchdog: Dog?
    /// A list of objects.
    @Persisted public var people: List<Person>
    /// A list of objects without a primary key.
    @Persisted public var dogs: List<Dog>
    /// An embedded object.
    @Persisted public var address: Address?
    /// A list of embedded objects.
    @Persisted public var formerAddresses: List<Address>
    /// A list of scalars.
    @Persisted public var tags: List<String>
    /// A list of optional scalars.
    @Persisted public var ratings: List<Int?>
}

/// An embedded object.
public class Address: EmbeddedObject {
    /// A street.
    @Persisted public var street: String
    /// A city.
    @Persisted public var city: String?
}

/// An enumeration with text.
public enum Ward: String, PersistableEnum {
    /// The default.
    case surgery
    /// Another case.
    case intensiveCare
}

/// An enumeration with numbers.
public enum Triage: Int, PersistableEnum {
    /// The default.
    case green = 1
    /// Another case.
    case red = 3
}

/// An object with every scalar type, required and optional.
public class Everything: Object {
    /// The primary key.
    @Persisted(primaryKey: true) public var id: ObjectId
    /// An integer.
    @Persisted public var int: Int
    /// An integer of 8 bits.
    @Persisted public var int8: Int8
    /// An integer of 16 bits.
    @Persisted public var int16: Int16
    /// An integer of 32 bits.
    @Persisted public var int32: Int32
    /// An integer of 64 bits.
    @Persisted public var int64: Int64
    /// A truth value.
    @Persisted public var bool: Bool
    /// A number of 32 bits.
    @Persisted public var float: Float
    /// A number of 64 bits.
    @Persisted public var double: Double
    /// Text.
    @Persisted public var string: String
    /// Raw bytes.
    @Persisted public var data: Data
    /// An instant.
    @Persisted public var date: Date
    /// An id of sixteen bytes.
    @Persisted public var uuid: UUID
    /// A decimal.
    @Persisted public var decimal: Decimal128
    /// An enumeration.
    @Persisted public var ward: Ward
    /// An enumeration.
    @Persisted public var triage: Triage
    /// An optional integer.
    @Persisted public var optionalInt: Int?
    /// An optional truth value.
    @Persisted public var optionalBool: Bool?
    /// An optional number of 32 bits.
    @Persisted public var optionalFloat: Float?
    /// An optional number of 64 bits.
    @Persisted public var optionalDouble: Double?
    /// Optional text.
    @Persisted public var optionalString: String?
    /// Optional bytes.
    @Persisted public var optionalData: Data?
    /// An optional instant.
    @Persisted public var optionalDate: Date?
    /// An optional id of twelve bytes.
    @Persisted public var optionalObjectId: ObjectId?
    /// An optional id of sixteen bytes.
    @Persisted public var optionalUUID: UUID?
    /// An optional decimal.
    @Persisted public var optionalDecimal: Decimal128?
    /// An optional enumeration.
    @Persisted public var optionalWard: Ward?
}

/// An object that may link to itself.
public class Node: Object {
    /// A primary key that may be nil.
    @Persisted(primaryKey: true) public var id: String?
    /// The next node.
    @Persisted public var next: Node?
    /// More nodes.
    @Persisted public var children: List<Node>
}

/// An object whose stored names differ from those of its properties.
public class Visit: Object {
    /// A date, as when the visit began.
    @Persisted(indexed: true) public var begin: Date?
    /// A reason.
    @Persisted public var reason = "check-up"
    /// The stored names.
    public override class func propertiesMapping() -> [String: String] { ["begin": "started_at"] }
}

/// An object to count with.
public class Counter: Object {
    /// The primary key.
    @Persisted(primaryKey: true) public var name: String
    /// The count.
    @Persisted public var value: Int
}
