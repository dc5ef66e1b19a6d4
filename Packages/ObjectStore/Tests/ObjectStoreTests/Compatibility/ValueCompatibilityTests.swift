import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("Programs for RealmSwift: values")
struct ValueCompatibilityTests {
    @Test("AnyRealmValue has a case and a getter for every type")
    func anyValues() throws {
        let id = ObjectId.generate()
        let uuid = UUID()
        let date = Date(timeIntervalSince1970: 5)
        let skipper = Skipper(name: "Ida")
        #expect(AnyRealmValue.none.intValue == nil)
        #expect(AnyRealmValue.int(1).intValue == 1 && AnyRealmValue.bool(true).boolValue == true)
        #expect(AnyRealmValue.float(1.5).floatValue == 1.5 && AnyRealmValue.double(2.5).doubleValue == 2.5)
        #expect(AnyRealmValue.string("a").stringValue == "a" && AnyRealmValue.data(Data([1])).dataValue == Data([1]))
        #expect(AnyRealmValue.date(date).dateValue == date && AnyRealmValue.objectId(id).objectIdValue == id)
        #expect(AnyRealmValue.decimal128(3).decimal128Value == 3 && AnyRealmValue.uuid(uuid).uuidValue == uuid)
        #expect(AnyRealmValue.object(skipper).object(Skipper.self) === skipper)
        #expect(AnyRealmValue.object(skipper).object(Boat.self) == nil)

        let list = AnyRealmValue.fromArray([.int(1), .string("two")])
        let dictionary = AnyRealmValue.fromDictionary(["a": .int(1), "list": list])
        #expect(list.listValue?.count == 2 && dictionary.dictionaryValue?["a"] == .int(1))

        let realm = try TemporaryRealm(Harbour.types).open()
        let boat = try realm.write {
            let boat = realm.create(Boat.self, value: ["A"])
            boat.papers = dictionary
            boat.papers.dictionaryValue?["more"] = .object(skipper)
            return boat
        }
        guard case .dictionary(let papers) = boat.papers else {
            Issue.record("\(boat.papers)")
            return
        }
        #expect(papers["list"]?.listValue?[1] == .string("two"))
        #expect(papers["more"]?.dynamicObject?.name as? String == "Ida")
        #expect(Set([AnyRealmValue.int(1), .int(1), .double(1), .none]).count == 3)
    }

    @Test("ObjectId is made, parsed, compared and coded")
    func objectIds() throws {
        let id = try ObjectId(string: "5f0000000000000000000001")
        let literal = ObjectId("5f0000000000000000000001")
        let early = ObjectId(timestamp: Date(timeIntervalSince1970: 10), machineId: 1, processId: 2)

        #expect(id == literal && id.stringValue == "5f0000000000000000000001" && "\(id)" == id.stringValue)
        #expect(early < id && early.timestamp == Date(timeIntervalSince1970: 10))
        #expect(Set([ObjectId(), .generate(), ObjectId.generate()]).count == 3)
        #expect(throws: (any Error).self) { try ObjectId(string: "short") }
        let json = try JSONEncoder().encode([id])
        #expect(String(decoding: json, as: UTF8.self) == "[\"5f0000000000000000000001\"]")
        #expect(try JSONDecoder().decode([ObjectId].self, from: json) == [id])
    }

    @Test("Decimal128 is made from everything numeric, computes and compares")
    func decimals() throws {
        let parsed = try Decimal128(string: "12.50")
        let whole: Decimal128 = 2
        let fraction: Decimal128 = 0.5
        let text: Decimal128 = "1e3"

        #expect(Decimal128() == 0 && Decimal128(value: 3) == 3 && Decimal128(value: "2.5") == 2.5)
        #expect(Decimal128(value: 1.5) == 1.5 && Decimal128(value: Float(0.5)) == 0.5 && Decimal128(value: whole) == 2)
        #expect(Decimal128(value: Int8(-3)) == -3 && Decimal128(value: UInt64.max) == "18446744073709551615")
        #expect(Decimal128(value: NSNumber(value: 7)) == 7 && Decimal128(number: 7) == 7)
        #expect(Decimal128(number: NSNumber(value: 0.25)) == 0.25)
        #expect(parsed + whole == 14.5 && parsed - whole == 10.5 && whole * fraction == 1 && whole / fraction == 4)
        #expect(min(whole, fraction) == fraction && max(whole, text) == text && whole < text)
        #expect(Decimal128.min < -whole && Decimal128.max > text && Decimal128.max + text == Decimal128.max)
        #expect((-whole).magnitude == whole && Decimal128(exactly: 5) == 5)
        #expect(!whole.isNaN && Decimal128.nan.isNaN && parsed.stringValue == "12.50" && parsed.doubleValue == 12.5)
        #expect([whole, fraction].reduce(0, +) == 2.5)
        var sum = Decimal128()
        sum += parsed
        #expect(Set([sum, parsed]).count == 1)
        #expect(throws: (any Error).self) { try Decimal128(string: "twelve") }
        let json = try JSONEncoder().encode([parsed])
        #expect(String(decoding: json, as: UTF8.self) == "[\"12.50\"]")
        #expect(
            try JSONDecoder().decode([Decimal128].self, from: Data("[\"12.50\", 3, 0.5]".utf8)) == [parsed, 3, 0.5]
        )
    }

    @Test("enumerations and types of the program are stored and queried")
    func ownTypes() throws {
        let realm = try TemporaryRealm(Harbour.types).open()
        let boat = try realm.write {
            let boat = realm.create(Boat.self, value: ["registration": "A", "size": "large", "callSign": "LNXY"])
            boat.draught = Draught(metres: 2)
            return boat
        }

        #expect(boat.size == .large && BoatSize.small > .large && BoatSize.allCases.count == 2)
        #expect(boat.callSign?.letters == "LNXY" && boat.draught.metres == 2)
        #expect(realm.objects(Boat.self).where { $0.size == .large }.count == 1)
        #expect(realm.objects(Boat.self).where { $0.draught == Draught(metres: 2) }.count == 1)
        #expect(realm.objects(Boat.self).filter("size == %@", BoatSize.large).count == 1)
    }

    @Test("an autorelease pool runs its block, where there are none too")
    func pools() throws {
        let value = autoreleasepool { 3 }
        struct Storm: Error {}
        #expect(value == 3)
        #expect(throws: Storm.self) { try autoreleasepool { throw Storm() } }
    }
}
