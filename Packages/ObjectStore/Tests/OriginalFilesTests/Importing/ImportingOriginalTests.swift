import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore
@testable import OriginalFiles

@Suite("Importing files of the original")
struct ImportingOriginalTests {
    private func url(_ golden: GoldenOriginal) -> URL { URL(fileURLWithPath: golden.path) }

    @Test("all classes come with all objects, and with the same sums each time", arguments: GoldenOriginal.allCases)
    func whole(golden: GoldenOriginal) throws {
        let (first, second) = (try TemporaryRealm([]), try TemporaryRealm([]))
        let file = try OriginalFile(path: golden.path)

        let report = try Realm.importOriginal(from: url(golden), into: first.configuration)

        #expect(report == (try Realm.importOriginal(from: url(golden), into: second.configuration)))
        #expect(report.format == file.format)
        #expect(report.schemaVersion == file.schemaVersion ?? 0)
        #expect(report.classes.map(\.name) == file.classes.map(\.name))
        for (imported, found) in zip(report.classes, file.classes) {
            #expect(imported.objectCount + imported.leftOutObjects == found.count)
            // Two zeros, twice, and two instants that are a nanosecond apart.
            #expect(imported.mergedElements == (imported.name == "Sets" ? 3 : 0))
        }
    }

    @Test("an imported file opens with the classes of the program")
    func opening() throws {
        let temporary = try TemporaryRealm([OriginalDog.self]) { $0.schemaVersion = 3 }

        let report = try Realm.importOriginal(from: url(.tiny), into: temporary.configuration)

        let dogs = try temporary.open().objects(OriginalDog.self)
        #expect(report.differences.isEmpty)
        #expect(Array(dogs.map(\.name)) == ["Rex", "Ina"])
        #expect(Array(dogs.map(\.age)) == [7, nil])
        #expect(dogs.map { Array($0.tags) } == [[], ["good"]])
    }

    @Test("links, embedded objects and collections of both lead where they led")
    func links() throws {
        let temporary = try TemporaryRealm(OriginalPerson.all) { $0.schemaVersion = 3 }

        let report = try Realm.importOriginal(from: url(.links), into: temporary.configuration)

        let realm = try temporary.open()
        let person = try #require(realm.object(ofType: OriginalPerson.self, forPrimaryKey: 10))
        #expect(person.best?._id == 20)
        #expect(person.best?.best?._id == 30)
        #expect(Array(person.pets.map(\.name)) == ["pet3"])
        #expect(person.friends.map(\._id) == [30])
        #expect((person.roles["role0"] ?? nil)?._id == 10)
        #expect(person.address?.street == "street 1")
        #expect(person.address?.geo?.lat == 1.25)
        #expect(person.address?.country?.code == realm.objects(OriginalCountry.self)[1].code)
        #expect(Array(person.addresses.map(\.street)) == ["street 10"])
        #expect((person.places["place0"] ?? nil)?.street == "street 100")
        #expect(person.any.object(OriginalPet.self)?.name == "pet1")
        #expect(person.anys.count == 3)
        #expect(person.anys[1] == .none)
        #expect(person.anys[2].object(OriginalPet.self)?.name == "pet1")
        #expect(person.anySet.count == 2)
        #expect(realm.object(ofType: OriginalPerson.self, forPrimaryKey: 30)?.best == nil)
        #expect(report.classes.contains { $0.unresolvedLinks > 0 })
        #expect(
            report.classes.first { $0.name == "Address" }?.objectCount
                == realm.objects(OriginalPerson.self)
                .reduce(0) { count, person in
                    count + (person.address == nil ? 0 : 1) + person.addresses.count + person.places.count
                }
        )
    }

    @Test("lists and dictionaries inside values of any type are nested as they were")
    func nested() throws {
        let temporary = try TemporaryRealm([OriginalAny.self])
        try Realm.importOriginal(from: url(.mixed), into: temporary.configuration)

        let objects = try temporary.open().objects(OriginalAny.self)

        #expect(objects[0].any == .string("replaced"))
        #expect(objects[0].dict["c"] == AnyRealmValue.none)
        #expect(objects[0].dict["d"] == .bool(true))
        let deep = try #require(objects.first { $0.dict["nested"]?.listValue?.first == .int(-2) })
        #expect(deep.list[0].dictionaryValue?["q"] == .int(2))
        let inner = try #require(deep.any.dictionaryValue)
        #expect(inner["l"]?.listValue?.count == 4)
        #expect(inner["l"]?.listValue?[1].listValue?.first == .bool(true))
        #expect(inner["l"]?.listValue?[0].dictionaryValue?["z"] == .decimal128("9.99"))
        #expect(
            inner["d"]?.dictionaryValue?["t"] == .date(Date(timeIntervalSinceReferenceDate: 753_982_800.123_456_789))
        )
    }

    @Test("an imported realm is written to, and new objects come behind the old ones")
    func writing() throws {
        let temporary = try TemporaryRealm([OriginalDog.self]) { $0.schemaVersion = 3 }
        try Realm.importOriginal(from: url(.tiny), into: temporary.configuration)
        let realm = try temporary.open()

        try realm.write {
            let dog = realm.create(OriginalDog.self, value: ["name": "Bo"])
            dog.tags.append("new")
            realm.objects(OriginalDog.self)[1].tags.append("better")
        }

        let dogs = realm.objects(OriginalDog.self)
        #expect(Array(dogs.map(\.name)) == ["Rex", "Ina", "Bo"])
        #expect(dogs.map { Array($0.tags) } == [[], ["good", "better"], ["new"]])
    }

    @Test("what differs from the program's classes is told, and migrated as ever")
    func migrating() throws {
        let temporary = try TemporaryRealm([OriginalDogLater.self]) { $0.schemaVersion = 4 }

        let report = try Realm.importOriginal(from: url(.tiny), into: temporary.configuration)

        #expect(report.differences.map(\.kind) == [.propertyAdded, .propertyRemoved])
        #expect(report.description.contains("The property 'Dog.tags' was removed."))
        let dogs = try temporary.open().objects(OriginalDogLater.self)
        #expect(Array(dogs.map(\.name)) == ["Rex", "Ina"])
    }

    @Test("an imported file may keep its changes, if each class has a primary key")
    func keepingChanges() throws {
        let (keyed, keyless) = (
            try TemporaryRealm([]) { $0.keepsChanges = true }, try TemporaryRealm([]) { $0.keepsChanges = true }
        )

        #expect(throws: Realm.Error(.invalidInput, "")) {
            try Realm.importOriginal(from: url(.tiny), into: keyless.configuration)
        }
        try Realm.importOriginal(from: url(.noobjects), into: keyed.configuration)

        #expect(try FileManager.default.contentsOfDirectory(atPath: keyless.folder.path).isEmpty)
        let connection = try Connection(
            fileURL: try #require(keyed.configuration.fileURL),
            key: RealmFile.key(keyed.configuration.encryptionKey, fileURL: nil),
            isReadOnly: true,
            isDurable: true
        )
        #expect(try SyncTables(connection).exist())
    }

    // MARK: Nothing half

    @Test("a handler hears how far it is, and ends it", arguments: [1, 2, 3])
    func cancelling(calls: Int) throws {
        let temporary = try TemporaryRealm([])
        var steps: [Realm.ImportProgress] = []

        #expect(throws: CancellationError.self) {
            try Realm.importOriginal(from: url(.wide), into: temporary.configuration) { progress in
                steps.append(progress)
                return steps.count < calls
            }
        }

        #expect(steps.count == calls)
        let expected: [Realm.ImportProgress.Step] = [.copying, .copying, .comparing]
        #expect(steps.map(\.step) == Array(expected[..<calls]))
        #expect(steps.last.map { $0.completedObjects <= $0.totalObjects } ?? false)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.folder.path).isEmpty)
    }

    @Test("a task that is cancelled ends it")
    func cancelledTask() async throws {
        let temporary = try TemporaryRealm([])
        let (source, configuration) = (url(.links), temporary.configuration)

        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try Realm.importOriginal(from: source, into: configuration)
        }

        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.folder.path).isEmpty)
    }

    @Test("a file that is there is not replaced")
    func existing() throws {
        let temporary = try TemporaryRealm([])
        try Realm.importOriginal(from: url(.tiny), into: temporary.configuration)

        #expect(throws: Realm.Error(.fileExists, "")) {
            try Realm.importOriginal(from: url(.links), into: temporary.configuration)
        }
        #expect(throws: Realm.Error(.invalidInput, "")) {
            try Realm.importOriginal(from: url(.links), into: Realm.Configuration(inMemoryIdentifier: "imported"))
        }
    }

    @Test("other files, and formats that are not read, are told by their errors")
    func foreign() throws {
        let temporary = try TemporaryRealm([])
        let source = temporary.folder.appendingPathComponent("source")
        var old = try GoldenOriginal.tiny.bytes
        old[20] = 11
        let cases: [([UInt8], Realm.Error.Code, String)] = [
            (Array("text".utf8), .invalidDatabase, "looks like text"),
            (old, .unsupportedFileFormatVersion, "format 11"),
            ([UInt8](repeating: 1, count: 8192), .invalidDatabase, "encrypted"),
        ]

        for (bytes, code, words) in cases {
            try Data(bytes).write(to: source)
            let error = #expect(throws: Realm.Error.self) {
                try Realm.importOriginal(from: source, into: temporary.configuration)
            }
            #expect(error?.code == code)
            #expect(error?.message.contains(words) ?? false)
        }
        let missing = temporary.folder.appendingPathComponent("missing")
        #expect(throws: Realm.Error(.fileAccess, "")) {
            try Realm.importOriginal(from: missing, into: temporary.configuration)
        }
        #expect(!Realm.fileExists(for: temporary.configuration))
    }

    @Test(
        "a damaged file ends in a sentence or a whole realm, and leaves nothing half",
        arguments: [GoldenOriginal.tiny, .links, .mixed]
    )
    func damaged(golden: GoldenOriginal) throws {
        let temporary = try TemporaryRealm([])
        let source = temporary.folder.appendingPathComponent("source")
        let whole = try golden.bytes
        var state: UInt64 = 0x5EED_0003
        var refused = 0
        for _ in 0..<150 {
            var bytes = whole
            for _ in 0..<8 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 33) % whole.count] ^= UInt8(1) << UInt8(state >> 29 & 7)
            }
            try Data(bytes).write(to: source)
            do {
                try Realm.importOriginal(from: source, into: temporary.configuration)
                _ = try Realm.deleteFiles(for: temporary.configuration)
            } catch let error as Realm.Error {
                refused += 1
                #expect(
                    [.invalidDatabase, .unsupportedFileFormatVersion, .invalidInput, .fail].contains(error.code),
                    "\(error) \(error.details)"
                )
                #expect(!error.message.contains("error of this library"))
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: temporary.folder.path)
            try #require(left.filter { $0 != "source" && !$0.hasSuffix(".lock") }.isEmpty)
        }
        #expect(refused > 0)
    }

    @Test(
        "a hundred lists inside each other are imported on a thread with a small stack, and more are refused",
        arguments: [100, 101]
    )
    func deepest(count: Int) async throws {
        let temporary = try TemporaryRealm([])
        let source = temporary.folder.appendingPathComponent("source")
        var writer = OriginalWriter()
        let values = writer.nestedLists(count)
        let bytes = writer.finish("Deep", [.init(name: "any", type: 6, attributes: 16, values: values)], count: 1)
        try Data(bytes).write(to: source)
        let configuration = temporary.configuration

        let result = try await onSmallStack {
            Result<Int, any Error> { try Realm.importOriginal(from: source, into: configuration).objectCount }
        }

        if count == 100 {
            #expect(try result.get() == 1)
        } else {
            #expect(throws: Realm.Error.self) { try result.get() }
        }
    }

    @Test("a dictionary with a value of another type is damaged")
    func wrongType() throws {
        let temporary = try TemporaryRealm([])
        let source = temporary.folder.appendingPathComponent("source")
        var writer = OriginalWriter(format: 22)
        let keys = writer.texts(["a"])
        // A truth value in a dictionary of numbers.
        let codes = writer.ints([2 | 1 << 8])
        let values = writer.refs([codes, 0, 0, 0])
        let dictionary = writer.refs([OriginalWriter.tagged(1), keys, values])
        let dictionaries = writer.refs([dictionary])
        let column = OriginalWriter.Column(name: "map", type: 2 << 16, attributes: 64, values: dictionaries)
        try Data(writer.finish("Odd", [column], count: 1)).write(to: source)

        let error = #expect(throws: Realm.Error.self) {
            try Realm.importOriginal(from: source, into: temporary.configuration)
        }

        #expect(error?.code == .invalidDatabase)
        #expect(error?.message.contains("in the class 'Odd'") ?? false)
    }
}
