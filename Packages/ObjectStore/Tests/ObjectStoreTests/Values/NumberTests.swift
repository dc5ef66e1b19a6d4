import EventModel
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

private class Measurement: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var double: Double
    @Persisted var float: Float
    @Persisted var decimal: Decimal128
    @Persisted(indexed: true) var date: Date
    @Persisted var any: AnyRealmValue
    @Persisted var doubles: List<Double>
    @Persisted var doubleSet: MutableSet<Double>
    @Persisted var floatSet: MutableSet<Float>
    @Persisted var decimalSet: MutableSet<Decimal128>
    @Persisted var dateSet: MutableSet<Date>
    @Persisted var anySet: MutableSet<AnyRealmValue>
    @Persisted var doubleMap: Map<String, Double>
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite("Zeros, fractions, decimals and instants to their last bit")
struct NumberTests {
    private let file: TemporaryRealm
    private let realm: Realm

    init() throws {
        file = try TemporaryRealm([Measurement.self])
        realm = try file.open()
    }

    private func ids(_ results: Results<Measurement>) -> [Int] { results.map(\.id).sorted() }

    // MARK: Negative zero

    @Test("the sign of zero is kept in properties, lists, maps and values of any type")
    func negativeZero() async throws {
        try realm.write { realm in
            let stored = realm.create(Measurement.self, value: ["double": -0.0, "float": -0.0, "decimal": "-0.00"])
            stored.any = .double(-0.0)
            stored.doubles.append(objectsIn: [0, -0.0])
            stored.doubleMap["a"] = -0.0
        }
        let texts = try await file.inSecondInstance { realm in
            realm.objects(Measurement.self)
                .flatMap { stored in
                    [
                        "\(stored.double)", "\(stored.float)", "\(stored.decimal)", "\(stored.any.doubleValue ?? 1)",
                        "\(stored.doubles[0])", "\(stored.doubles[1])", "\(stored.doubleMap["a"] ?? 1)",
                    ]
                }
        }
        #expect(texts == ["-0.0", "-0.0", "-0.00", "-0.0", "0.0", "-0.0", "-0.0"])
    }

    @Test("queries find both zeros by either, and sort them as equal")
    func zeroQueries() throws {
        try realm.write { realm in
            for (id, number) in [0.0, -0.0, 1, -1].enumerated() {
                let value: [String: Any] = [
                    "id": id, "double": number, "float": number, "decimal": number, "any": number,
                ]
                realm.create(Measurement.self, value: value)
            }
        }
        let all = realm.objects(Measurement.self)
        for zero in [0.0, -0.0] {
            #expect(ids(all.where { $0.double == zero }) == [0, 1])
            #expect(ids(all.where { $0.float == Float(zero) }) == [0, 1])
            #expect(ids(all.where { $0.decimal == Decimal128(zero) }) == [0, 1])
            #expect(ids(all.where { $0.any == .double(zero) }) == [0, 1])
            #expect(ids(all.where { $0.double.in([zero, 7]) }) == [0, 1])
            #expect(ids(all.filter("double == %@ AND float >= %@ AND decimal <= %@", zero, zero, zero)) == [0, 1])
            #expect(ids(all.filter("double BETWEEN {%@, %@}", zero, zero)) == [0, 1])
            #expect(ids(all.where { $0.double < zero }) == [3])
            #expect(ids(all.filter("decimal > %@", zero)) == [2])
        }
        #expect(
            all.sorted(by: [SortDescriptor(keyPath: "double"), SortDescriptor(keyPath: "id")]).map(\.id) == [
                3, 0, 1, 2,
            ]
        )
        #expect(all.distinct(by: ["double"]).count == 3)
        #expect(all.distinct(by: ["decimal"]).count == 3)
    }

    @Test("L9: both zeros are one element of a set, as are all NaN and decimals of one value; the first stays")
    func sets() throws {
        let unmanaged = Measurement()
        let managed = try realm.write { realm in realm.create(Measurement.self) }
        for object in [unmanaged, managed] {
            realm.beginWrite()
            object.doubleSet.insert(objectsIn: [0.0, -0.0, .nan, -.nan, .infinity])
            object.floatSet.insert(objectsIn: [-0.0, 0.0, .nan, .nan])
            object.decimalSet.insert(objectsIn: ["1.0", "1.00", "10E-1", "-0", "0E+5", "NaN", "NaN", "Infinity"])
            object.anySet.insert(objectsIn: [
                .double(0), .double(-0.0), .int(0), .decimal128("1.0"), .decimal128("1.0"),
            ])
            #expect(object.doubleSet.count == 3)
            #expect(object.floatSet.count == 2)
            #expect(object.decimalSet.count == 4)
            #expect(object.anySet.count == 3)
            #expect(object.doubleSet.contains(-0.0) && object.doubleSet.contains(.nan))
            #expect(object.floatSet.contains(0) && object.floatSet.contains(-0.0))
            #expect(object.decimalSet.contains("1.000") && object.decimalSet.contains(0))
            #expect(object.decimalSet.map(\.description).sorted() == ["-0", "1.0", "Infinity", "NaN"])
            object.doubleSet.remove(-0.0)
            object.decimalSet.remove("1")
            #expect(object.doubleSet.count == 2)
            #expect(object.decimalSet.count == 3)
            try realm.commitWrite()
        }
    }

    // MARK: Decimals

    private static let decimals = [
        "NaN", "-Infinity", "-9.999999999999999999999999999999999E+6144", "-1E+34", "-2", "-1.0", "-1E-6176", "0",
        "1E-6176",
        "0.1", "1.000000000000000000000000000000001", "9999999999999999999999999999999999", "1E+34", "Infinity",
    ]

    @Test("decimals of all sizes come back bit by bit and are sorted by their values")
    func decimalOrder() async throws {
        try realm.write { realm in
            for (id, text) in Self.decimals.enumerated().reversed() {
                realm.create(Measurement.self, value: ["id": id, "decimal": text, "any": try Decimal128(string: text)])
            }
        }
        let texts = try await file.inSecondInstance { realm in
            realm.objects(Measurement.self).sorted(byKeyPath: "decimal").map(\.decimal.description)
        }
        // The test may go on in another thread than it began.
        let realm = try file.open()
        #expect(texts.filter { $0 != "NaN" } == Self.decimals.filter { $0 != "NaN" })
        for (id, text) in Self.decimals.enumerated() {
            let number = try Decimal128(string: text)
            let stored = try #require(realm.object(ofType: Measurement.self, forPrimaryKey: id))
            #expect((stored.decimal.high, stored.decimal.low) == (number.high, number.low))
            #expect(stored.any == .decimal128(number))
            let found = realm.objects(Measurement.self).where { $0.decimal == number }
            #expect(ids(found) == (number.isNaN ? [] : [id]))
            let smaller = realm.objects(Measurement.self).where { $0.decimal < number }
            #expect(smaller.count == (number.isNaN ? 0 : id - 1))
        }
    }

    @Test("sums and means of decimals keep 34 digits")
    func decimalAggregates() throws {
        try realm.write { realm in
            for (id, text) in ["0.1", "0.2", "1234567890123456789012345678901.234", "NaN"].enumerated() {
                realm.create(Measurement.self, value: ["id": id, "decimal": text])
            }
        }
        let numbers = realm.objects(Measurement.self)
        let sum: Decimal128 = numbers.sum(ofProperty: "decimal")
        let least: Decimal128? = numbers.min(ofProperty: "decimal")
        let mean: Decimal128? = numbers.average(ofProperty: "decimal")
        #expect(sum.description == "1234567890123456789012345678901.534")
        #expect(least?.description == "0.1")
        #expect(mean?.description == "411522630041152263004115226300.5113")
    }

    @Test("a number of Foundation in a query is taken with all its digits")
    func foundationDecimals() throws {
        try realm.write { realm in
            realm.create(Measurement.self, value: ["id": 1, "decimal": "0.1234567890123456789", "double": 5])
            realm.create(Measurement.self, value: ["id": 2, "decimal": Float(0.1), "double": 0.5] as [String: Any])
        }
        let numbers = realm.objects(Measurement.self)
        #expect(ids(numbers.filter("decimal == %@", NSDecimalNumber(string: "0.1234567890123456789"))) == [1])
        #expect(ids(numbers.filter("decimal == %@", Decimal(string: "0.1") as Any)) == [2])
        #expect(ids(numbers.filter("decimal == %@", Float(0.1))) == [2])
        #expect(ids(numbers.filter("double == %@", Decimal(5))) == [1])
        #expect(ids(numbers.filter("double == %@ OR id == %@", Decimal(0.5), NSDecimalNumber(value: 1))) == [1, 2])
    }

    @Test("decimals are made from values and numbers of any type")
    func decimalValues() {
        #expect(Decimal128(value: 5).description == "5")
        #expect(Decimal128(value: "1.50").description == "1.50")
        #expect(Decimal128(value: Decimal128("2.0")).description == "2.0")
        #expect(Decimal128(value: Float(0.1)).description == "0.1")
        #expect(Decimal128(number: NSNumber(value: 0.25)).description == "0.25")
        #expect(Decimal128(number: NSNumber(value: true)) == 1)
        #expect(Decimal128(number: NSNumber(value: UInt64.max)).description == "18446744073709551615")
        let digits = "12345678901234567890123456789.012345678"
        #expect(
            Decimal128(number: NSDecimalNumber(string: digits)).description == "12345678901234567890123456789.01235"
        )
    }

    @Test("a value that is no number is no decimal: it traps")
    func decimalTrap() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Decimal128(value: Data())
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("'Data' is no Decimal128"))
    }

    // MARK: Instants

    @Test(
        "an instant comes back bit by bit, is found by itself and by no neighbour",
        arguments: [
            0, -0.0, 1e-9, 0.123456789, 0.1 + 0.2, 800_000_000.123456789, -978_307_200, 63_113_904_000, -63_113_904_000,
            1e15, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.infinity,
        ]
    )
    func instants(_ seconds: Double) async throws {
        try realm.write { realm in
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let stored = realm.create(Measurement.self, value: ["date": date, "any": date])
            stored.dateSet.insert(objectsIn: [date, date])
        }
        let bits = try await file.inSecondInstance { realm in
            realm.objects(Measurement.self)
                .flatMap { stored in
                    [stored.date, stored.any.dateValue ?? Date(), stored.dateSet.first ?? Date()]
                }
                .map(\.timeIntervalSinceReferenceDate.bitPattern)
        }
        // The test may go on in another thread than it began.
        let realm = try file.open()
        #expect(bits == [seconds.bitPattern, seconds.bitPattern, seconds.bitPattern])
        func found(_ seconds: Double) -> Int {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            return realm.objects(Measurement.self).where { $0.date == date }.count
        }
        #expect(found(seconds) == 1)
        #expect(found(seconds.nextUp) == 0)
        #expect(seconds == -.infinity || found(seconds.nextDown) == 0)
    }
}
