import EventModel
import Foundation
import ObjectStore
import ObjectStoreTesting

/// An object with a property of every kind that the conversion rules name.
class ConvertedThing: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var int: Int
    @Persisted var int8: Int8
    @Persisted var bool: Bool
    @Persisted var float: Float
    @Persisted var double: Double
    @Persisted var string: String
    @Persisted var data: Data
    @Persisted var date: Date
    @Persisted var objectId: ObjectId
    @Persisted var uuid: UUID
    @Persisted var decimal: Decimal128
    @Persisted var ward: Ward
    @Persisted var triage: Triage
    @Persisted var percent: Percent
    @Persisted var optionalInt: Int?
    @Persisted var optionalInt8: Int8?
    @Persisted var optionalBool: Bool?
    @Persisted var optionalFloat: Float?
    @Persisted var optionalDouble: Double?
    @Persisted var optionalString: String?
    @Persisted var optionalData: Data?
    @Persisted var optionalDate: Date?
    @Persisted var optionalObjectId: ObjectId?
    @Persisted var optionalUuid: UUID?
    @Persisted var optionalDecimal: Decimal128?
    @Persisted var optionalWard: Ward?
    @Persisted var optionalTriage: Triage?
    @Persisted var optionalPercent: Percent?
    @Persisted var any: AnyRealmValue
    @Persisted var dog: Dog?
    @Persisted var address: Address?
    @Persisted var ints: List<Int>
    @Persisted var optionalInts: List<Int?>
    @Persisted var intSet: MutableSet<Int>
    @Persisted var intMap: Map<String, Int>
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var dogs: List<Dog>
    @Persisted var addresses: List<Address>

    /// The required scalars, each of which has an optional companion.
    static let scalars = [
        "int", "int8", "bool", "float", "double", "string", "data", "date", "objectId", "uuid", "decimal", "ward",
        "triage", "percent",
    ]
    static let links = ["dog", "address"]
    static let collections = ["ints", "optionalInts", "intSet", "intMap", "anys", "dogs", "addresses"]
    static let optionals = scalars.map(optional)
    static let all = scalars + optionals + ["any"] + links + collections

    /// The optional companion of a scalar.
    static func optional(_ scalar: String) -> String {
        "optional\(scalar.prefix(1).uppercased())\(scalar.dropFirst())"
    }

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A number of the program that not every integer is.
struct Percent: FailableCustomPersistable {
    let value: Int

    init?(persistedValue: Int) {
        guard (0...100).contains(persistedValue) else { return nil }
        value = persistedValue
    }

    var persistableValue: Int { value }
}

/// The text that a test compares a value by, the same for managed and unmanaged values.
func comparableText(_ value: Any?) -> String {
    switch value {
    case nil: "nil"
    case let value as AnyRealmValue: comparableText(anyContent(value))
    case let percent as Percent: "\(percent.value)"
    case let data as Data: data.map { "\($0)" }.joined(separator: "-")
    case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
    case let uuid as UUID: uuid.uuidString.lowercased()
    case let dog as Dog: "dog \(dog.name)"
    case let address as Address: "address \(address.street)"
    case let person as Person: "person \(person.name)"
    case let list as List<Int>: elementText(list.map { $0 })
    case let list as List<Int?>: elementText(list.map { $0 })
    case let set as MutableSet<Int>: elementText(set.sorted())
    case let map as Map<String, Int>: entryText(map.asKeyValueSequence().map { ($0, $1) })
    case let map as Map<String, AnyRealmValue>: entryText(map.asKeyValueSequence().map { ($0, $1) })
    case let list as List<AnyRealmValue>: elementText(list.map { $0 })
    case let list as List<Dog>: elementText(list.map { $0 })
    case let list as List<Address>: elementText(list.map { $0 })
    case let value?: "\(value)"
    }
}

private func elementText(_ elements: [Any?]) -> String {
    "[\(elements.map(comparableText).joined(separator: ", "))]"
}

private func entryText(_ entries: [(key: String, value: Any)]) -> String {
    "{\(entries.sorted { $0.key < $1.key }.map { "\($0.key): \(comparableText($0.value))" }.joined(separator: ", "))}"
}

/// The content of a value, with its type where JSON has several for one text.
private func anyContent(_ value: AnyRealmValue) -> Any? {
    switch value {
    case .none: nil
    case .int(let value): value
    case .bool(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .object(let value): value
    case .objectId(let value): value
    case .decimal128(let value): value
    case .uuid(let value): value
    case .dictionary(let value): value
    case .list(let value): value
    }
}
