import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

/// Three different values of one type of element, and what the collections must do with them.
struct ElementCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable (_ isManaged: Bool) throws -> Void

    init<Element: RealmCollectionValue & Sendable>(_ first: Element, _ second: Element, _ third: Element) {
        testDescription = "\(Element.self)"
        check = { isManaged in
            try Self.check([first, second, third], isManaged: isManaged)
        }
    }

    private static func check<Element: RealmCollectionValue>(_ values: [Element], isManaged: Bool) throws {
        let file = try TemporaryRealm([Box<Element>.self])
        let box = Box<Element>()
        do {
            let realm = try file.open()
            if isManaged { try realm.write { realm in realm.add(box) } }
            try change(realm, isManaged) { try fill(box, values) }
            try expect(box, values)
            try change(realm, isManaged) { try alter(box, values) }
            try expectAltered(box, values)
            if !isManaged { try realm.write { realm in realm.add(box) } }
            try expectAltered(box, values)
            realm.invalidate()
        }
        let realm = try file.open()
        try expectAltered(try #require(realm.objects(Box<Element>.self).first), values)
    }

    private static func change(_ realm: Realm, _ isManaged: Bool, _ body: () throws -> Void) throws {
        if isManaged { try realm.write { _ in try body() } } else { try body() }
    }

    private static func fill<Element>(_ box: Box<Element>, _ values: [Element]) throws {
        box.list.append(objectsIn: values)
        box.list.append(values[0])
        box.set.insert(objectsIn: values)
        for value in values { box.set.insert(value) }
        for (key, value) in zip(["b", "a", "c"], values) { box.map[key] = value }
    }

    private static func expect<Element>(_ box: Box<Element>, _ values: [Element]) throws {
        #expect(Array(box.list) == values + [values[0]])
        #expect(box.list.first == values[0] && box.list.last == values[0] && box.list.count == 4)
        #expect(box.set.count == 3)
        #expect(values.allSatisfy { box.set.contains($0) })
        #expect(Set(box.set) == Set(values))
        #expect(box.map.keys == ["a", "b", "c"])
        #expect(box.map.values == [values[1], values[0], values[2]])
        #expect(box.map["c"] == .some(values[2]))
        #expect(box.map["d"] == nil)
    }

    private static func alter<Element>(_ box: Box<Element>, _ values: [Element]) throws {
        box.list[1] = values[2]
        box.list.remove(at: 0)
        box.list.insert(values[1], at: 1)
        box.set.remove(values[1])
        box.map["a"] = values[2]
        box.map["b"] = nil
    }

    private static func expectAltered<Element>(_ box: Box<Element>, _ values: [Element]) throws {
        #expect(Array(box.list) == [values[2], values[1], values[2], values[0]])
        #expect(Set(box.set) == [values[0], values[2]])
        #expect(!box.set.contains(values[1]))
        #expect(box.map.keys == ["a", "c"])
        #expect(box.map.map(\.value) == [values[2], values[2]])
    }

    static let all: [ElementCase] = [
        ElementCase(1, -5, Int.max), ElementCase(Int8(1), Int8.min, Int8.max), ElementCase(Int16(1), -5, 300),
        ElementCase(Int32(1), -5, Int32.max), ElementCase(Int64(1), Int64.min, Int64.max),
        ElementCase(Float(1.5), -2, .infinity), ElementCase(1.1, -2, Double.greatestFiniteMagnitude),
        ElementCase("a", "", "é 👩‍⚕️ \u{0}"), ElementCase(Data([1]), Data(), Data([0, 255])),
        ElementCase(date(1), date(-0.25), date(0.123456789)),
        ElementCase(objectId("1"), objectId("2"), objectId("3")), ElementCase(uuid(1), uuid(2), uuid(3)),
        ElementCase(Decimal128(1), 2.5, -3), ElementCase(Triage.green, .red, .amber),
        ElementCase(Bool?.some(true), false, nil), ElementCase(Int?.some(0), nil, 7),
        ElementCase(Float?.some(0), nil, 7), ElementCase(Double?.some(0), nil, 7),
        ElementCase(String?.some(""), nil, "x"),
        ElementCase(Data?.some(Data()), nil, Data([1])), ElementCase(Date?.some(date(0)), nil, date(1)),
        ElementCase(ObjectId?.some(objectId("1")), nil, objectId("2")), ElementCase(UUID?.some(uuid(1)), nil, uuid(2)),
        ElementCase(Decimal128?.some(0), nil, 1), ElementCase(Triage?.some(.green), nil, .red),
    ]

    enum Triage: Int, PersistableEnum { case green, red, amber }

    private static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
    private static func objectId(_ digit: Character) -> ObjectId {
        (try? ObjectId(string: String(repeating: digit, count: 24))) ?? ObjectId()
    }
    private static func uuid(_ digit: UInt8) -> UUID {
        UUID(uuid: (digit, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
}

@Suite("Types of elements")
struct ElementTypeTests {
    @Test(
        "every type of element can be stored in a list, a set and a map, and is there when the file is opened again",
        arguments: ElementCase.all,
        [false, true]
    )
    func element(_ element: ElementCase, _ isManaged: Bool) throws {
        try element.check(isManaged)
    }

    @Test("truth values, of which there are two only", arguments: [false, true])
    func truthValues(_ isManaged: Bool) throws {
        let file = try TemporaryRealm([Box<Bool>.self])
        let realm = try file.open()
        let box = Box<Bool>()
        try realm.write { realm in
            if isManaged { realm.add(box) }
            box.list.append(objectsIn: [true, false, true])
            box.set.insert(objectsIn: [true, false, true])
            box.map["yes"] = true
        }

        #expect(Array(box.list) == [true, false, true])
        #expect(Set(box.set) == [true, false])
        #expect(box.map["yes"] == true)
    }

    @Test("L9: a set holds NaN once, and 0 and -0 are one", arguments: [false, true])
    func specialNumbers(_ isManaged: Bool) throws {
        let file = try TemporaryRealm([Box<Double?>.self, Box<Float>.self])
        let realm = try file.open()
        let (doubles, floats) = (Box<Double?>(), Box<Float>())
        try realm.write { realm in
            if isManaged {
                realm.add(doubles)
                realm.add(floats)
            }
            doubles.set.insert(objectsIn: [.nan, -.nan, 0, -0.0, nil, nil])
            floats.set.insert(objectsIn: [.nan, .signalingNaN, 0, -0.0])
            #expect(doubles.set.contains(.nan))
            #expect(floats.set.contains(-0.0))
            #expect(doubles.set.count == 3)
            #expect(floats.set.count == 2)
            doubles.set.remove(.nan)
            floats.set.remove(-0.0)
        }

        #expect(Set(doubles.set) == [0, nil])
        #expect(floats.set.count == 1)
        #expect(floats.set.first?.isNaN == true)
    }

    @Test("L9: texts are the same when their bytes are, in sets and as keys of maps", arguments: [false, true])
    func texts(_ isManaged: Bool) throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let file = try TemporaryRealm([Box<String>.self])
        let realm = try file.open()
        let box = Box<String>()
        try realm.write { realm in
            if isManaged { realm.add(box) }
            box.set.insert(objectsIn: [composed, decomposed, composed])
            box.map[composed] = "composed"
            box.map[decomposed] = "decomposed"
        }

        #expect(box.set.count == 2)
        #expect(box.map.count == 2)
        #expect(box.map[composed] == "composed")
        #expect(box.map[decomposed] == "decomposed")
        try realm.write { _ in
            box.set.remove(decomposed)
            box.map[decomposed] = nil
        }
        #expect(box.set.map { Array($0.utf8) } == [Array(composed.utf8)])
        #expect(box.map.keys.map { Array($0.utf8) } == [Array(composed.utf8)])
    }

    @Test("L9: decimals of one value are one element, whatever their exponent", arguments: [false, true])
    func decimals(_ isManaged: Bool) throws {
        let file = try TemporaryRealm([Box<Decimal128>.self])
        let realm = try file.open()
        let box = Box<Decimal128>()
        try realm.write { realm in
            if isManaged { realm.add(box) }
            box.set.insert(objectsIn: [try Decimal128(string: "1.0"), try Decimal128(string: "1.00"), 2])
            #expect(box.set.contains(1))
            box.set.remove(try Decimal128(string: "2.000"))
        }

        #expect(box.set.count == 1)
    }
}
