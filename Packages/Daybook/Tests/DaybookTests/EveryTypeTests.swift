import Daybook
import ObjectStoreTesting
import Testing

/// Every type with its extremes, from the program's assignment to the bytes of the stored event.
@MainActor
@Suite("The stored JSON of every type")
struct EveryTypeTests {
    private let place: TemporaryRealm
    private let realm: Realm

    init() throws {
        place = try TemporaryRealm([Record.self, Slice.self, Loose.self]) {
            $0.eventConfiguration = EventConfiguration()
        }
        realm = try place.open()
    }

    private func record(_ body: () throws -> Void) async throws -> [String] {
        let scope = try #require(realm.events).beginScope(activity: "scope")
        try body()
        try await scope.commit()
        return try place.storedEvents().compactMap(\.dataText)
    }

    private func filled() -> Record {
        let record = Record()
        record.id = 1
        record.renamed = "\u{0}\t\"\\/ü🩺\u{2028}\u{7F}"
        record.bytes = Data([1, 2])
        record.blobs.append(objectsIn: [Data([1]), nil])
        record.ints.append(objectsIn: [.min, -1, 0, .max])
        record.flags.append(objectsIn: [true, false, nil])
        record.floats.append(objectsIn: [1.1, -0.0, .nan, .infinity])
        record.doubles.append(objectsIn: [
            1.1, 3, -0.0, 1e300, 1e-7, .leastNonzeroMagnitude, .nan, -.infinity, 0.1 + 0.2,
        ])
        record.dates.append(
            objectsIn: [0, -0.5, -0.0005, 0.9999, -62_135_596_800, 253_402_300_799.999, 253_402_300_800.5]
                .map { Date(timeIntervalSince1970: $0) }
        )
        record.decimals.append(objectsIn: ["1.50", "-1E+3", "NaN", nil])
        record.ids.append(ObjectId("62b38b3c10846041166f5deb"))
        record.one.insert(UUID(uuid: (0, 1, 2, 3, 0xAB, 0xCD, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255)))
        record.numbers["b"] = 2
        record.numbers["a\""] = .some(nil)
        record.numbers["é"] = .max
        record.numbers["B"] = 1
        record.part = Slice(value: ["name": "x"])
        record.parts.append(objectsIn: [Slice(value: ["name": "y"]), Slice()])
        record.named["k"] = Slice(value: ["name": "z"])
        record.loose = Loose(value: ["name": "free"])
        return record
    }

    @Test("4.1, 4.2: keys are sorted stored names, and every value has its own text")
    func everyType() async throws {
        let friend = Record(value: ["id": 2])
        try realm.write { realm in
            let record = filled()
            record.friend = friend
            record.friends.append(objectsIn: [friend, friend])
            record.any = .data(Data([1]))
            record.nested = .fromArray([
                .fromDictionary(["z": .fromArray([.int(.min), .decimal128("1.50"), .none]), "a": .float(1.1)]),
                .data(Data([1])), .double(.nan), .date(Date(timeIntervalSinceReferenceDate: 0)), .bool(true),
                .object(friend),
            ])
            realm.add(record)
        }

        let stored = try await record { _ = realm.object(ofType: Record.self, forPrimaryKey: 1) }

        let json =
            #"{"A_stored":"\u0000\t\"\\/ü🩺\#u{2028}\#u{7F}","blobs":[null,null],"#
            + #""dates":["1970-01-01T00:00:00.000Z","1969-12-31T23:59:59.500Z","1969-12-31T23:59:59.999Z","#
            + #""1970-01-01T00:00:00.999Z","0001-01-01T00:00:00.000Z","9999-12-31T23:59:59.999Z","#
            + #""+010000-01-01T00:00:00.500Z"],"decimals":["1.50","-1E+3","NaN",null],"#
            + #""doubles":[1.1,3.0,-0.0,1e+300,1e-07,5e-324,null,null,0.30000000000000004],"flags":[true,false,null],"#
            + #""floats":[1.100000023841858,-0.0,null,null],"friend":2,"friends":[2,2],"id":1,"#
            + #""ids":["62b38b3c10846041166f5deb"],"ints":[-9223372036854775808,-1,0,9223372036854775807],"loose":1,"#
            + #""named":{"k":{"name":"z"}},"nested":[{"a":1.100000023841858,"z":[-9223372036854775808,"1.50",null]},"#
            + #"null,null,"2001-01-01T00:00:00.000Z",true,2],"noBytes":null,"#
            + #""numbers":{"B":1,"a\"":null,"b":2,"é":9223372036854775807},"#
            + #""one":["00010203-abcd-0607-0809-0a0b0c0d0eff"],"part":{"name":"x"},"parts":[{"name":"y"},{"name":""}]}"#
        #expect(stored == [#"{"type":"Record","value":[\#(json)]}"#])
    }

    @Test("4.2: what is empty or null has its key; backlinks have none")
    func empty() async throws {
        try realm.write { realm in
            let record = realm.create(Record.self, value: ["id": 1])
            realm.create(Record.self, value: ["id": 2, "friend": record])
        }

        let stored = try await record { _ = realm.object(ofType: Record.self, forPrimaryKey: 1)?.followers.first }

        let json =
            #"{"A_stored":"","any":null,"blobs":[],"dates":[],"decimals":[],"doubles":[],"flags":[],"floats":[],"#
            + #""friend":null,"friends":[],"id":1,"ids":[],"ints":[],"loose":null,"named":{},"nested":null,"#
            + #""noBytes":null,"numbers":{},"one":[],"part":null,"parts":[]}"#
        #expect(stored.first == #"{"type":"Record","value":[\#(json)]}"#)
        #expect(stored.allSatisfy { !$0.contains("followers") })
    }

    @Test("4.4: newValue has exactly what changed, also what JSON does not show")
    func changes() async throws {
        try realm.write { $0.add(filled()) }
        let object = try #require(realm.objects(Record.self).first)
        let changes: [(change: (Record) -> Void, newValue: String)] = [
            ({ $0.bytes = Data([3]) }, #"{"bytes":null}"#), ({ $0.bytes = Data([3]) }, "{}"),
            ({ $0.any = .int(1) }, #"{"any":1}"#), ({ $0.any = .double(1) }, #"{"any":1.0}"#),
            ({ $0.any = .data(Data([1])) }, #"{"any":null}"#), ({ $0.any = .double(.nan) }, #"{"any":null}"#),
            ({ $0.any = .double(-.nan) }, "{}"),
            ({ $0.decimals[0] = "1.500" }, #"{"decimals":["1.500","-1E+3","NaN",null]}"#),
            ({ $0.blobs[0] = Data([2]) }, #"{"blobs":[null,null]}"#), ({ $0.renamed = "new" }, #"{"A_stored":"new"}"#),
            ({ $0.part = nil }, #"{"part":null}"#), ({ $0.numbers.removeAll() }, #"{"numbers":{}}"#),
        ]

        let stored = try await record {
            for (change, _) in changes { try realm.write { _ in change(object) } }
        }

        let texts = stored.filter { $0.hasPrefix(#"{"Record""#) }
        #expect(texts.count == changes.count)
        for (text, (_, newValue)) in zip(texts, changes) {
            #expect(text.hasPrefix(#"{"Record":{"modifications":[{"newValue":\#(newValue),"oldValue":"#))
        }
    }

    @Test("a string and a payload of ten megabytes are stored whole")
    func large() async throws {
        let text = String(repeating: "0123456789 0123456\n", count: 550_000)
        try realm.write { realm in realm.create(Loose.self, value: ["name": text]) }

        let stored = try await record { _ = realm.objects(Loose.self).first }

        let escaped = String(repeating: #"0123456789 0123456\n"#, count: 550_000)
        #expect(stored == [#"{"type":"Loose","value":[{"name":"\#(escaped)"}]}"#])
    }
}

private final class Record: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var any: AnyRealmValue
    @Persisted var nested: AnyRealmValue
    @Persisted var bytes: Data
    @Persisted var noBytes: Data?
    @Persisted var blobs: List<Data?>
    @Persisted var ints: List<Int>
    @Persisted var flags: List<Bool?>
    @Persisted var floats: List<Float>
    @Persisted var doubles: List<Double>
    @Persisted var dates: List<Date>
    @Persisted var decimals: List<Decimal128?>
    @Persisted var ids: List<ObjectId>
    @Persisted var one: MutableSet<UUID>
    @Persisted var numbers: Map<String, Int?>
    @Persisted var part: Slice?
    @Persisted var parts: List<Slice>
    @Persisted var named: Map<String, Slice?>
    @Persisted var friend: Record?
    @Persisted var friends: List<Record>
    @Persisted var loose: Loose?
    @Persisted var renamed: String
    @Persisted(originProperty: "friend") var followers: LinkingObjects<Record>

    override class func propertiesMapping() -> [String: String] { ["renamed": "A_stored"] }
}

private final class Slice: EmbeddedObject {
    @Persisted var name: String
}

private final class Loose: Object {
    @Persisted var name: String
}
