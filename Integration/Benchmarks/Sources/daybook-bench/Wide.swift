import Daybook
import Foundation

/// A class of thirty properties, one for each pair of digits, so that a file can have a hundred of them.
final class Wide<Tens: Digit, Units: Digit>: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var int1: Int
    @Persisted var int2: Int
    @Persisted var int3: Int
    @Persisted var int4: Int?
    @Persisted var int5: Int?
    @Persisted var int6: Int?
    @Persisted var text1: String
    @Persisted var text2: String
    @Persisted var text3: String
    @Persisted var text4: String?
    @Persisted var text5: String?
    @Persisted var text6: String?
    @Persisted var double1: Double
    @Persisted var double2: Double
    @Persisted var double3: Double?
    @Persisted var flag1: Bool
    @Persisted var flag2: Bool
    @Persisted var flag3: Bool?
    @Persisted var date1: Date
    @Persisted var date2: Date?
    @Persisted var data1: Data
    @Persisted var uuid1: UUID
    @Persisted var object1: ObjectId
    @Persisted var list1: List<String>
    @Persisted var list2: List<Int>
    @Persisted var set1: MutableSet<String>
    @Persisted var map1: Map<String, String>
    @Persisted var other: Wide?

    override class func _realmObjectName() -> String? { "Wide\(Tens.value)\(Units.value)" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A digit as a type.
protocol Digit: SendableMetatype {
    static var value: Int { get }
}

private enum Zero: Digit { static var value: Int { 0 } }
private enum One: Digit { static var value: Int { 1 } }
private enum Two: Digit { static var value: Int { 2 } }
private enum Three: Digit { static var value: Int { 3 } }
private enum Four: Digit { static var value: Int { 4 } }
private enum Five: Digit { static var value: Int { 5 } }
private enum Six: Digit { static var value: Int { 6 } }
private enum Seven: Digit { static var value: Int { 7 } }
private enum Eight: Digit { static var value: Int { 8 } }
private enum Nine: Digit { static var value: Int { 9 } }

private let digits: [any Digit.Type] = [
    Zero.self, One.self, Two.self, Three.self, Four.self, Five.self, Six.self, Seven.self, Eight.self, Nine.self,
]

/// A hundred classes of thirty properties.
let wideClasses: [ObjectBase.Type] = digits.flatMap { tens in digits.map { wide(tens, $0) } }

private func wide<Tens: Digit, Units: Digit>(_: Tens.Type, _: Units.Type) -> ObjectBase.Type {
    Wide<Tens, Units>.self
}
