import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("What descriptions show of values")
struct ShownValueTests {
    @Test("a date that is not a number is shown wherever it lies, managed or not", arguments: [true, false])
    func strangeDates(isManaged: Bool) throws {
        let file = try TemporaryRealm([Diary.self])
        let realm = try file.open()
        let strange = Date(timeIntervalSinceReferenceDate: .nan)
        let diary = Diary(value: ["day": strange, "any": AnyRealmValue.date(strange)])
        diary.days.append(objectsIn: [strange, nil])
        diary.set.insert(strange)
        diary.map["key"] = strange
        diary.values.append(objectsIn: [.date(strange), .string("a")])
        if isManaged { try realm.write { realm.add(diary) } }

        // Not inside of an expectation, which would describe what it failed with by other means.
        let texts = [
            diary.description, diary.days.description, diary.set.description, diary.map.description,
            diary.values.description,
        ]

        #expect(texts[0].contains("day: not a date, other: nil, any: not a date"))
        #expect(texts[1] == "List<Optional<Date>> [Optional(not a date), nil]")
        #expect(texts[2] == "MutableSet<Date> [not a date]")
        #expect(texts[3] == "Map<String, Optional<Date>> [\"key\": Optional(not a date)]")
        #expect(texts[4].hasPrefix("List<AnyRealmValue> [date(not a date), "))
    }

    @Test(
        "values that lead to each other are shown by what they are, however they lead there",
        arguments: [true, false]
    )
    func circles(isManaged: Bool) throws {
        let file = try TemporaryRealm([Diary.self])
        let realm = try file.open()
        let (first, second) = (Diary(), Diary())
        first.any = .object(second)
        second.any = .fromArray([.object(first), .fromDictionary(["first": .object(first)])])
        first.values.append(objectsIn: [.object(first), second.any])
        if isManaged { try realm.write { realm.add(first) } }

        #expect(first.description.contains("any: object(Diary)"))
        #expect(second.description.contains("any: list(2 elements)"))
        #expect(first.values.description == "List<AnyRealmValue> [object(Diary), list(2 elements)]")
        #expect("\(first.any)".hasPrefix("object(Diary {"))
        #expect("\(second.any)".hasSuffix("[object(Diary), dictionary(1 entries)])"))
    }

    @Test("every other value is shown as Swift shows it")
    func others() throws {
        let day = Date(timeIntervalSince1970: 86_400)
        let values: [Any] = [
            day, "text", 1, Double.nan, Data([1]), Optional("text") as Any, Optional(day) as Any, String?.none as Any,
            AnyRealmValue.string("text"), AnyRealmValue.int(1), UUID(), ObjectId(), Date(timeIntervalSince1970: 1e300),
        ]
        for value in values {
            #expect(ShownValue(value).description == "\(value)")
            #expect("\([ShownValue(value)])" == "[\(String(reflecting: value))]")
        }
    }

    final class Diary: Object {
        @Persisted var day: Date
        @Persisted var other: Date?
        @Persisted var any: AnyRealmValue
        @Persisted var days: List<Date?>
        @Persisted var set: MutableSet<Date>
        @Persisted var map: Map<String, Date?>
        @Persisted var values: List<AnyRealmValue>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}
