import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("A file that cannot be read any more")
struct ReadFailureTests {
    private let file: TemporaryRealm

    init() throws {
        file = try TemporaryRealm()
        do {
            let realm = try file.open()
            try realm.write { realm.add((0..<2000).map(Person.numbered)) }
        }
    }

    /// Opens the file and overwrites all but its first pages, as a failing disk would.
    private static func openDamaged(_ configuration: Realm.Configuration) throws -> Realm {
        let realm = try Realm(configuration: configuration)
        let path = try #require(configuration.fileURL).path
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 3 * 4096)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: Int(size) - 3 * 4096))
        try handle.close()
        return realm
    }

    @Test("throws from 'read', each time, and no count of nothing is kept")
    func read() throws {
        let realm = try Self.openDamaged(file.configuration)
        let people = realm.objects(Person.self)

        for _ in 0..<2 {
            #expect(throws: Realm.Error(.invalidDatabase, "")) { try realm.read { _ in people.count } }
            #expect(throws: Realm.Error(.invalidDatabase, "")) { try realm.read { _ in Array(people.map(\.name)) } }
            #expect(throws: Realm.Error(.invalidDatabase, "")) { try realm.read { _ in people.first?.name } }
            #expect(throws: Realm.Error(.invalidDatabase, "")) {
                try realm.read { $0.object(ofType: Person.self, forPrimaryKey: 1500)?.name }
            }
        }
    }

    @Test("throws from 'write', which is rolled back")
    func write() throws {
        let realm = try Self.openDamaged(file.configuration)

        #expect(throws: Realm.Error(.invalidDatabase, "")) {
            try realm.write { _ = Array(realm.objects(Person.self).map(\.name)) }
        }

        #expect(!realm.isInWriteTransaction)
    }

    @Test("an outer 'read' throws too, though the block caught the error of an inner one")
    func nested() throws {
        let realm = try Self.openDamaged(file.configuration)

        #expect(throws: Realm.Error(.invalidDatabase, "")) {
            try realm.read { realm in
                try? realm.read { $0.objects(Person.self).count }
            }
        }
    }

    @Test("the block's own error comes first")
    func ownError() throws {
        struct Own: Error {}
        let realm = try Self.openDamaged(file.configuration)

        #expect(throws: Own.self) {
            try realm.read { realm in
                _ = Array(realm.objects(Person.self).map(\.name))
                throw Own()
            }
        }
        #expect(try realm.read { _ in 7 } == 7)
    }

    @Test("ends the process outside of both, with a sentence that names the remedy")
    func unguarded() async throws {
        let path = try #require(file.configuration.fileURL).path
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = path as String] in
            let configuration = Realm.Configuration(
                fileURL: URL(fileURLWithPath: path),
                encryptionKey: TemporaryRealm.suiteKey,
                objectTypes: Sample.types
            )
            print(Array(try Self.openDamaged(configuration).objects(Person.self).map(\.name)))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("cannot be read any more; read inside of 'realm.read { … }'"), "\(text.prefix(500))")
    }

    @Test("is found at opening when the configuration asks for it, with the findings")
    func verification() throws {
        _ = try Self.openDamaged(file.configuration)

        let error = #expect(throws: Realm.Error.self) { try file.open { $0.verifiesFile = true } }

        #expect(error?.code == .invalidDatabase)
        #expect(error?.details.isEmpty == false)
        #expect(error?.message.contains("Realm.deleteFiles(for:)") == true)
    }

    @Test("a file that is whole is read as usual")
    func whole() throws {
        let realm = try file.open { $0.verifiesFile = true }
        #expect(try realm.read { $0.objects(Person.self).count } == 2000)
    }
}
