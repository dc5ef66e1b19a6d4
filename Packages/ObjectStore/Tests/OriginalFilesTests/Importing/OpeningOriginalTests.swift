import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore
@testable import OriginalFiles

@Suite("Opening files of the original")
struct OpeningOriginalTests {
    /// A realm whose path has a file of the original.
    private func temporary(_ golden: GoldenOriginal = .tiny) throws -> TemporaryRealm {
        let temporary = try TemporaryRealm([OriginalDog.self]) { $0.schemaVersion = 3 }
        try Data(golden.bytes).write(to: try #require(temporary.configuration.fileURL))
        return temporary
    }

    private func names(_ temporary: TemporaryRealm) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: temporary.folder.path)
            .filter { $0.hasPrefix(".") || $0.contains("original") }.sorted()
    }

    @Test("without being allowed to import, the error says what the file is and what to set")
    func refused() throws {
        let temporary = try temporary()

        let error = #expect(throws: Realm.Error.self) { _ = try temporary.open() }

        #expect(error?.code == .fileFormatUpgradeRequired)
        #expect(error?.message.contains("written by Realm") ?? false)
        #expect(error?.message.contains("'importsOriginal'") ?? false)
        #expect(error?.message.contains("importOriginal(from:into:)") ?? false)
        let url = try #require(temporary.configuration.fileURL)
        #expect(try Array(Data(contentsOf: url)) == GoldenOriginal.tiny.bytes)
    }

    @Test("with it the objects are there, and the old file is kept")
    func imported() throws {
        let temporary = try temporary()

        do {
            let realm = try temporary.open { $0.importsOriginal = true }
            #expect(Array(realm.objects(OriginalDog.self).map(\.name)) == ["Rex", "Ina"])
        }

        #expect(try names(temporary) == ["test.realm.original"])
        let kept = temporary.folder.appendingPathComponent("test.realm.original")
        #expect(try Array(Data(contentsOf: kept)) == GoldenOriginal.tiny.bytes)
        // From now on it is a realm like any other.
        #expect(try temporary.open().objects(OriginalDog.self).count == 2)
        #expect(try temporary.open { $0.importsOriginal = true }.objects(OriginalDog.self).count == 2)
        #expect(try names(temporary) == ["test.realm.original"])
    }

    @Test("an older kept file stays, and the new one gets a number")
    func numbered() throws {
        let temporary = try temporary()
        let other = temporary.folder.appendingPathComponent("test.realm.original")
        try Data("other".utf8).write(to: other)

        _ = try temporary.open { $0.importsOriginal = true }

        #expect(try names(temporary) == ["test.realm.original", "test.realm.original-2"])
        #expect(try String(contentsOf: other, encoding: .utf8) == "other")
    }

    @Test("an import that was cut off behind the second name is done again")
    func cutOff() throws {
        let temporary = try temporary()
        let url = try #require(temporary.configuration.fileURL)
        try FileManager.default.linkItem(
            at: url,
            to: temporary.folder.appendingPathComponent("test.realm.original")
        )

        _ = try temporary.open { $0.importsOriginal = true }

        #expect(try names(temporary) == ["test.realm.original"])
    }

    @Test("a damaged file stays as it is")
    func damaged() throws {
        let temporary = try temporary()
        let url = try #require(temporary.configuration.fileURL)
        let bytes = Array(try GoldenOriginal.tiny.bytes.dropLast(8))
        try Data(bytes).write(to: url)

        let error = #expect(throws: Realm.Error.self) { _ = try temporary.open { $0.importsOriginal = true } }

        #expect(error?.code == .invalidDatabase)
        #expect(try Array(Data(contentsOf: url)) == bytes)
        #expect(try names(temporary).isEmpty)
    }

    @Test("a realm that is opened read-only is not imported")
    func readOnly() throws {
        let temporary = try temporary()

        let error = #expect(throws: Realm.Error.self) {
            _ = try temporary.open {
                $0.importsOriginal = true
                $0.readOnly = true
            }
        }

        #expect(error?.code == .fileFormatUpgradeRequired)
        #expect(error?.message.contains("'readOnly' false") ?? false)
    }

    @Test("a file with a lower schema version is imported and migrated in one opening")
    func migrated() throws {
        let temporary = try temporary()

        let realm = try temporary.open {
            $0.importsOriginal = true
            $0.objectTypes = [OriginalDogLater.self]
            $0.schemaVersion = 4
            $0.migrationBlock = { migration, oldVersion in
                migration.enumerateObjects(ofType: "Dog") { old, new in
                    new?["isOld"] = oldVersion == 3 && old?["age"] as? Int == 7
                }
            }
        }

        #expect(realm.objects(OriginalDogLater.self).map(\.isOld) == [true, false])
    }

    @Test("the setting is part of what a configuration says")
    func configuration() {
        var configuration = Realm.Configuration()
        #expect(!configuration.importsOriginal)
        let plain = configuration

        configuration.importsOriginal = true

        #expect(configuration != plain)
        #expect(configuration.description.contains("importsOriginal: true"))
    }
}
