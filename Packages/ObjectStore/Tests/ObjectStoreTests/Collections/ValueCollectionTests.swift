import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

/// What every collection of values offers, for each type of values and each kind of collection.
@Suite("Collections of values")
struct ValueCollectionTests {
    private let file: TemporaryRealm
    private let realm: Realm
    private let holder: Holder

    init() throws {
        file = try TemporaryRealm([Holder.self])
        realm = try file.open()
        holder = try realm.write { [realm] in realm.create(Holder.self) }
    }

    /// Checks one type of values; those in ascending order are all different.
    private func check<E: RealmCollectionValue>(
        _ ascending: [E],
        _ list: KeyPath<Holder, List<E>>,
        _ set: KeyPath<Holder, MutableSet<E>>,
        _ map: KeyPath<Holder, Map<String, E>>
    ) throws {
        // The last comes first, and the first twice.
        let given = [ascending[ascending.count - 1]] + ascending.dropLast() + [ascending[0]]
        let unmanaged = List<E>()
        unmanaged.append(objectsIn: given)
        try realm.write {
            holder[keyPath: list].append(objectsIn: given)
            holder[keyPath: set].insert(objectsIn: given)
            for (index, value) in given.enumerated() { holder[keyPath: map]["key \(index)"] = value }
        }
        let managed = holder[keyPath: list]
        checkBag(managed, given, ascending)
        checkBag(unmanaged, given, ascending)
        checkBag(AnyRealmCollection(managed), given, ascending)
        checkBag(managed.distinct(by: ["self", "self"]).sorted(ascending: true), ascending, ascending)
        checkSorted(holder[keyPath: set], ascending)
        let mapped = holder[keyPath: map]
        #expect(Array(mapped.sorted(ascending: true)) == [ascending[0]] + ascending)
        #expect(Array(mapped.distinct().sorted(ascending: false)) == ascending.reversed())
    }

    private func checkBag<E>(_ values: some RealmCollection<E>, _ given: [E], _ ascending: [E]) {
        #expect(values.count == given.count)
        #expect(Array(values) == given)
        #expect(values.first == given.first)
        #expect(values.last == given.last)
        #expect(values[1] == given[1])
        #expect(values.index(of: ascending[0]) == given.firstIndex(of: ascending[0]))
        #expect(values.objects(at: [0, 1]) == [given[0], given[1]])
        #expect(values.value(forKey: "self") as? [E] == given)
        #expect(values.value(forKeyPath: "@count") as? Int == given.count)
        #expect(values.distinct().count == ascending.count)
        #expect(Array(values.distinct().prefix(2)) == [given[0], given[1]])
        checkSorted(values.distinct(), ascending)
    }

    private func checkSorted<E>(_ values: some RealmCollection<E>, _ ascending: [E]) {
        let up: Results<E> = values.sorted(ascending: true)
        #expect(Array(up) == ascending)
        #expect(up.first == ascending.first)
        #expect(up.last == ascending.last)
        #expect(up.index(of: ascending[1]) == 1)
        #expect(Array(values.sorted(byKeyPath: "self", ascending: false)) == ascending.reversed())
        #expect(Array(values.sorted(by: [SortDescriptor(keyPath: "self")])) == ascending)
        #expect(up == values.sorted(ascending: true))
        var walked: [E] = []
        for index in 0..<up.count { walked.append(up[index]) }
        #expect(walked == ascending)
    }

    @Test("L5, L6: integers of every size")
    func integers() throws {
        try check([Int.min, -1, 0, 7, Int.max], \.ints, \.intSet, \.intMap)
        try check([Int8.min, 0, Int8.max], \.int8s, \.int8Set, \.int8Map)
        try check([Int16.min, 0, Int16.max], \.int16s, \.int16Set, \.int16Map)
        try check([Int32.min, 0, Int32.max], \.int32s, \.int32Set, \.int32Map)
        try check([Int64.min, 0, Int64.max], \.int64s, \.int64Set, \.int64Map)
    }

    @Test("L5, L6: fractions, with infinities")
    func fractions() throws {
        try check([-Double.infinity, -2.5, 0, 0.1, Double.infinity], \.doubles, \.doubleSet, \.doubleMap)
        try check([-Float.infinity, -2.5, 0, 0.5, Float.infinity], \.floats, \.floatSet, \.floatMap)
        try check(["-12.5", "-1e-3", "0", "1", "9.99e30"] as [Decimal128], \.decimals, \.decimalSet, \.decimalMap)
    }

    @Test("L5: text is ordered by its bytes")
    func texts() throws {
        try check(["", "A", "a", "a\u{301}", "z", "á", "é", "\u{1F600}"], \.strings, \.stringSet, \.stringMap)
    }

    @Test("L5, L6: everything else")
    func others() throws {
        try check([false, true], \.bools, \.boolSet, \.boolMap)
        try check([Data(), Data([0]), Data([0, 1]), Data([255])], \.datas, \.dataSet, \.dataMap)
        try check(
            [-1000.5, 0, 700_000_000.25].map(Date.init(timeIntervalSinceReferenceDate:)),
            \.dates,
            \.dateSet,
            \.dateMap
        )
        let ids = try ["000000000000000000000001", "5f0000000000000000000000", "ff0000000000000000000000"]
            .map { try ObjectId(string: $0) }
        try check(ids, \.objectIds, \.objectIdSet, \.objectIdMap)
        let uuids = try ["00000000-0000-0000-0000-000000000001", "7F000000-0000-0000-0000-000000000000"]
            .map { try #require(UUID(uuidString: $0)) }
        try check(uuids, \.uuids, \.uuidSet, \.uuidMap)
        try check([Ward.intensiveCare, .surgery], \.wards, \.wardSet, \.wardMap)
        try check([Triage.green, .red], \.triages, \.triageSet, \.triageMap)
    }

    @Test("L5: nil comes first when ascending")
    func optionals() throws {
        try check([nil, -3, 0, 12], \.optionalInts, \.optionalIntSet, \.optionalIntMap)
        try check([nil, "", "b"], \.optionalStrings, \.optionalStringSet, \.optionalStringMap)
    }

    // MARK: Aggregates

    @Test("L7: aggregates of values, managed and not")
    func aggregates() throws {
        func check(_ ints: some RealmCollection<Int>, _ decimals: some RealmCollection<Decimal128>) {
            #expect((ints.min(), ints.max(), ints.sum()) == (-3, 10, 8))
            #expect(ints.average() == 2.0)
            #expect(ints.average() == Float(2))
            #expect((decimals.min(), decimals.max()) == ("-0.1", "0.3"))
            // Exact, as binary fractions would not be.
            #expect(decimals.sum() == "0.4")
            #expect(decimals.average() == Decimal128("0.1"))
            #expect(decimals.average() == 0.1)
            #expect(ints.sorted().distinct().sum() == 8)
        }
        let ints: List<Int> = [10, -3, 1, 0]
        let decimals: List<Decimal128> = ["0.3", "0.1", "-0.1", "0.1"]
        check(ints, decimals)
        try realm.write {
            holder.ints = ints
            holder.decimals = decimals
        }
        check(holder.ints, holder.decimals)
        check(AnyRealmCollection(holder.ints), AnyRealmCollection(holder.decimals))
        check(holder.ints.where { $0 > -100 }, holder.decimals.sorted(ascending: false))
    }

    @Test("L7: nil and NaN are left out; nothing has no aggregate but a sum of 0")
    func missingValues() throws {
        func check(_ values: List<Int?>, _ fractions: List<Double>, _ none: List<Int>, _ dates: List<Date>) {
            #expect((values.min(), values.max(), values.sum()) == (2, 4, 6))
            #expect(values.average() == 3.0)
            #expect((fractions.min(), fractions.max(), fractions.sum()) == (-1.5, 1, -0.5))
            #expect((none.min(), none.max(), none.sum()) == (nil, nil, 0))
            #expect(none.average() as Double? == nil)
            #expect(dates.min() == Date(timeIntervalSinceReferenceDate: 1))
            #expect(dates.max() == Date(timeIntervalSinceReferenceDate: 2))
        }
        let values: List<Int?> = [nil, 4, 2]
        let fractions: List<Double> = [.nan, 1, -1.5]
        let dates: List<Date> = [.init(timeIntervalSinceReferenceDate: 2), .init(timeIntervalSinceReferenceDate: 1)]
        check(values, fractions, [], dates)
        try realm.write {
            holder.optionalInts = values
            holder.doubles = fractions
            holder.dates = dates
        }
        check(holder.optionalInts, holder.doubles, holder.ints, holder.dates)
    }

    @Test("a sum of integers that does not fit wraps around")
    func overflow() throws {
        let ints: List<Int> = [.max, 1]
        let small: List<Int8> = [100, 100]
        #expect((ints.sum(), small.sum()) == (Int.min, -56))
        try realm.write {
            holder.ints = ints
            holder.int8s = small
        }
        #expect((holder.ints.sum(), holder.int8s.sum()) == (Int.min, -56))
        #expect(holder.int8s.sorted(ascending: true).average() == 100.0)
    }

    // MARK: Conditions

    @Test("conditions on values name them self")
    func conditions() throws {
        try realm.write {
            holder.ints = [5, 1, 3, 1]
            holder.strings = ["b", "A", "ab"]
            holder.optionalInts = [nil, 1]
            holder.intSet.insert(objectsIn: [1, 2, 3])
            holder.intMap = ["a": 1, "b": 2]
        }

        #expect(Array(holder.ints.filter("self > %@", 1)) == [5, 3])
        #expect(Array(holder.ints.filter("SELF IN %@", [1, 5])) == [5, 1, 1])
        #expect(Array(holder.ints.where { $0 > 1 && $0 < 5 }) == [3])
        #expect(Array(holder.strings.filter("self BEGINSWITH[c] 'a'").sorted(ascending: true)) == ["A", "ab"])
        #expect(Array(holder.strings.where { $0.contains("b") }) == ["b", "ab"])
        #expect(Array(holder.optionalInts.where { $0 == nil }) == [nil])
        #expect(holder.ints.index(matching: "self == 1") == 1)
        #expect(holder.ints.index(matching: { $0 == 3 }) == 2)
        #expect(holder.ints.index(matching: { $0 == 99 }) == nil)
        #expect(holder.intSet.filter("self != 2").count == 2)
        #expect(Array(holder.intMap.filter("self > 1")) == [2])
        #expect(Array(holder.intMap.where { $0 == 1 }) == [1])
        #expect(holder.intMap.max() == 2)
        #expect(holder.intMap.sum() == 3)
    }

    @Test("a condition on values from outside that names a property throws")
    func wrongConditions() {
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try holder.ints.sorted(ascending: true).filter(parsing: "name == 'x'")
        }
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try holder.ints.sorted(ascending: true).filter(parsing: "self == 'x'")
        }
    }

    @Test("L4: a result of values is live, and empty once the object is gone")
    func live() throws {
        let sorted = holder.ints.sorted(ascending: false)
        #expect(sorted.isEmpty)
        try realm.write {
            holder.ints.append(objectsIn: [1, 3, 2])
            #expect(Array(sorted) == [3, 2, 1])
            holder.ints.remove(at: 0)
            #expect(sorted.count == 2)
        }
        #expect(sorted.first == 3)
        try realm.write {
            var seen: [Int] = []
            for value in sorted {
                seen.append(value)
                holder.ints.removeAll()
            }
            #expect(seen == [3, 2])
        }
        try realm.write { realm.delete(holder) }
        #expect(sorted.isEmpty)
        #expect(sorted.first == nil)
        #expect(!sorted.isInvalidated)
    }
}

private class Holder: Object {
    @Persisted var ints: List<Int>
    @Persisted var intSet: MutableSet<Int>
    @Persisted var intMap: Map<String, Int>
    @Persisted var int8s: List<Int8>
    @Persisted var int8Set: MutableSet<Int8>
    @Persisted var int8Map: Map<String, Int8>
    @Persisted var int16s: List<Int16>
    @Persisted var int16Set: MutableSet<Int16>
    @Persisted var int16Map: Map<String, Int16>
    @Persisted var int32s: List<Int32>
    @Persisted var int32Set: MutableSet<Int32>
    @Persisted var int32Map: Map<String, Int32>
    @Persisted var int64s: List<Int64>
    @Persisted var int64Set: MutableSet<Int64>
    @Persisted var int64Map: Map<String, Int64>
    @Persisted var doubles: List<Double>
    @Persisted var doubleSet: MutableSet<Double>
    @Persisted var doubleMap: Map<String, Double>
    @Persisted var floats: List<Float>
    @Persisted var floatSet: MutableSet<Float>
    @Persisted var floatMap: Map<String, Float>
    @Persisted var decimals: List<Decimal128>
    @Persisted var decimalSet: MutableSet<Decimal128>
    @Persisted var decimalMap: Map<String, Decimal128>
    @Persisted var strings: List<String>
    @Persisted var stringSet: MutableSet<String>
    @Persisted var stringMap: Map<String, String>
    @Persisted var bools: List<Bool>
    @Persisted var boolSet: MutableSet<Bool>
    @Persisted var boolMap: Map<String, Bool>
    @Persisted var datas: List<Data>
    @Persisted var dataSet: MutableSet<Data>
    @Persisted var dataMap: Map<String, Data>
    @Persisted var dates: List<Date>
    @Persisted var dateSet: MutableSet<Date>
    @Persisted var dateMap: Map<String, Date>
    @Persisted var objectIds: List<ObjectId>
    @Persisted var objectIdSet: MutableSet<ObjectId>
    @Persisted var objectIdMap: Map<String, ObjectId>
    @Persisted var uuids: List<UUID>
    @Persisted var uuidSet: MutableSet<UUID>
    @Persisted var uuidMap: Map<String, UUID>
    @Persisted var wards: List<Ward>
    @Persisted var wardSet: MutableSet<Ward>
    @Persisted var wardMap: Map<String, Ward>
    @Persisted var triages: List<Triage>
    @Persisted var triageSet: MutableSet<Triage>
    @Persisted var triageMap: Map<String, Triage>
    @Persisted var optionalInts: List<Int?>
    @Persisted var optionalIntSet: MutableSet<Int?>
    @Persisted var optionalIntMap: Map<String, Int?>
    @Persisted var optionalStrings: List<String?>
    @Persisted var optionalStringSet: MutableSet<String?>
    @Persisted var optionalStringMap: Map<String, String?>
}
