import EventModelTesting
import Foundation
import ObjectStore
import ObjectStoreTesting
import RealmWindow
import Testing

@Suite("Objects leave a file as lines and come back")
struct ImportingLinesTests {
    private static func lines(of window: RealmWindow) throws -> [String] {
        var lines: [String] = []
        for item in try window.classes() where !item.isEmbedded {
            try window.forEachObject(of: RealmWindow.Selection(item.name)) { lines.append($0.line) }
        }
        return lines
    }

    private static func url(_ file: TemporaryRealm) -> URL { file.folder.appendingPathComponent("test.realm") }

    /// A new file with the classes, and no object.
    private func empty(_ types: [ObjectBase.Type] = Sample.types) throws -> TemporaryRealm {
        let file = try TemporaryRealm(types)
        _ = try file.open()
        return file
    }

    @Test("every type of value comes back the same, in a file of the same classes")
    func roundTrip() throws {
        let source = try TemporaryRealm()
        do {
            let realm = try source.open()
            try realm.write { realm in
                let full = Everything()
                full.int = .min
                full.int64 = .max
                full.bool = true
                full.float = 1.1
                full.double = -0.0
                full.string = "ü\"\\\n\u{2028}🩺"
                full.data = Data([0, 255])
                full.date = Date(timeIntervalSinceReferenceDate: -0.123_456_789)
                full.decimal = "1.50"
                full.optionalWard = .surgery
                realm.add([full, Everything()])
                let infinite = Everything()
                infinite.double = -.infinity
                infinite.float = .nan
                realm.add(infinite)
                let home = Home(value: ["name": "h", "tags": ["a"], "ratings": [1, nil]] as [String: Any])
                home.owner = Person.numbered(1)
                home.dogs.append(objectsIn: [Dog(value: ["name": "Rex"]), Dog(value: ["name": "Ada"])])
                home.watchdog = home.dogs[1]
                home.address = Address(value: ["street": "Elm"])
                home.formerAddresses.append(Address(value: ["street": "Oak"]))
                realm.add(home)
            }
        }
        let lines = try Self.lines(of: RealmWindow(Self.url(source)))
        let target = try empty()

        do {
            let counts = try RealmWindow(Self.url(target), isWritable: true).importLines(lines)
            #expect(counts["Everything"] == 3 && counts["Dog"] == 2 && counts["Home"] == 1)
        }

        let realm = try target.open()
        let home = try #require(realm.object(ofType: Home.self, forPrimaryKey: "h"))
        #expect(home.dogs.map(\.name) == ["Rex", "Ada"])
        #expect(home.watchdog.map { home.dogs[1].isSameObject(as: $0) } == true)
        #expect(home.owner?.name == "Person 1" && home.address?.street == "Elm")
        #expect(home.formerAddresses.map(\.street) == ["Oak"] && Array(home.ratings) == [1, nil])
        #expect(realm.objects(Dog.self).count == 2)
        let dates = realm.objects(Everything.self).map(\.date)
        #expect(dates.contains(Date(timeIntervalSinceReferenceDate: -0.123_456_789)))
        #expect(realm.objects(Everything.self).contains { $0.float.isNaN && $0.double == -.infinity })
        #expect(
            realm.objects(Everything.self).contains { $0.string == "ü\"\\\n\u{2028}🩺" && $0.data == Data([0, 255]) }
        )
    }

    @Test("values of any type, maps and links in them come back", arguments: 1...3 as ClosedRange<UInt64>)
    func anyValues(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let source = try TemporaryRealm([Crate.self])
        do {
            let realm = try source.open()
            try realm.write { realm in
                for number in 0..<20 {
                    let crate = realm.create(Crate.self, value: ["id": number])
                    crate.any = Self.value(2, &generator)
                    for key in ["a", "$b", "c.d"] { crate.map[key] = Self.value(1, &generator) }
                    crate.floats.insert(objectsIn: [1.5, Float(number)])
                }
                for crate in realm.objects(Crate.self) where crate.id.isMultiple(of: 3) {
                    crate.list.append(.object(realm.objects(Crate.self)[(crate.id + 7) % 20]))
                }
            }
        }
        let lines = try Self.lines(of: RealmWindow(Self.url(source)))
        let target = try empty([Crate.self])

        do { try RealmWindow(Self.url(target), isWritable: true).importLines(lines) }

        let again = try Self.lines(of: RealmWindow(Self.url(target)))
        #expect(again.sorted() == lines.sorted(), "seed \(seed)")
    }

    private static func value(_ depth: Int, _ generator: inout SeededGenerator) -> AnyRealmValue {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 8), using: &generator) {
        case 0: .none
        case 1: .int(Int.random(in: -9...9, using: &generator))
        case 2: .double(Double(Int.random(in: -9...9, using: &generator)))
        case 3: .bool(Bool.random(using: &generator))
        case 4: .string("$date")
        case 5: .data(Data([1, 2]))
        case 6: .decimal128("1.50")
        case 7: .float(Float.random(in: 0...1, using: &generator))
        case 8: .fromArray((0..<3).map { _ in value(depth - 1, &generator) })
        default: .fromDictionary(["$link": value(depth - 1, &generator), "x": value(depth - 1, &generator)])
        }
    }

    @Test("an object that the file has already gets the values of its line, and keeps the others")
    func existing() throws {
        let target = try TemporaryRealm([Person.self])
        do {
            let realm = try target.open()
            try realm.write { realm in realm.add(Person.numbered(1)) }
        }

        do {
            let line = #"{"class":"Person","object":{"_id":1,"name":"Changed"}}"#
            #expect(try RealmWindow(Self.url(target), isWritable: true).importLines([line, "", " "]) == ["Person": 1])
        }

        let person = try #require(target.open().objects(Person.self).first)
        #expect(person.name == "Changed" && person.employeeId == 7)
    }

    @Test(
        "a line that is no object of the file is named with its number, and nothing of the import is written",
        arguments: [
            ("{", "it is no JSON"), ("[1]", "it is JSON, but no object"),
            (#"{"class":"Person"}"#, "no 'class' with an"),
            (#"{"class":"Person","object":{"name":"x"}}"#, "no '_id', the primary key"),
            (#"{"class":"Person","object":{"_id":1,"age":3}}"#, "no property 'age'"),
            (#"{"class":"Person","object":{"_id":1,"name":3}}"#, "'Person.name'"),
            (#"{"class":"Person","object":{"_id":1,"name":{"$what":3}}}"#, "the type '$what'"),
            (#"{"class":"Person","object":{"_id":1,"name":{"a":3}}}"#, "an object where a value"),
            (#"{"class":"Address","object":{"street":"x"}}"#, "live inside of others"),
            (#"{"class":"Home","object":{"name":"h","owner":{"$link":["Person","x"]}}}"#, "a key that 'Person' cannot"),
            (#"{"class":"Home","object":{"name":"h","owner":{"$link":["Person",1.5]}}}"#, "a key that 'Person' cannot"),
            (#"{"class":"Home","object":{"name":"h","owner":{"$link":["Dog",1]}}}"#, "where one of 'Person'"),
        ]
    )
    func badLines(line: String, reason: String) throws {
        let target = try empty()
        let good = #"{"class":"Person","object":{"_id":77}}"#
        do {
            let window = try RealmWindow(Self.url(target), isWritable: true)
            let error = #expect(throws: RealmWindowError.self) { try window.importLines([good, line]) }
            let message = error.map { "\($0)" } ?? ""
            #expect(
                message.hasPrefix("Line 2 of the import cannot be used: ") && message.contains(reason),
                "\(message)"
            )
        }
        #expect(try target.open().isEmpty)
    }

    @Test("an object that others refer to and that never comes is an error")
    func missing() throws {
        let target = try empty()
        do {
            let window = try RealmWindow(Self.url(target), isWritable: true)
            let line = #"{"class":"Home","object":{"name":"h","owner":{"$link":["Person",5]}}}"#
            let error = #expect(throws: RealmWindowError.self) { try window.importLines([line]) }
            #expect(error == .missingObject(className: "Person", firstReferredTo: 1))
        }
        #expect(try target.open().isEmpty)
    }
}

private class Crate: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var any: AnyRealmValue
    @Persisted var list: List<AnyRealmValue>
    @Persisted var map: Map<String, AnyRealmValue>
    @Persisted var floats: MutableSet<Float>
}
