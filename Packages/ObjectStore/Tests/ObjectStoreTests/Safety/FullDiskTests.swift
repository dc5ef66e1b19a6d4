import EventModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("A disk that is full or fails during a write")
struct FullDiskTests {
    @Test("at every page that the file would grow by: thrown, rolled back, usable afterwards")
    func everyPage() throws {
        let file = try TemporaryRealm()
        let realm = try file.open()
        var changes = RandomChanges(seed: 1, realm)
        try realm.write { changes.apply(30) }
        let dump = try FileDump(realm)
        let before = try dump.lines()
        let connection = realm.core.store.connection
        let pages = try number("PRAGMA page_count", connection)

        var failures = 0
        for extra in 0..<200 {
            try connection.execute("PRAGMA max_page_count = \(pages + extra)")
            do {
                try realm.write { realm.add((0..<300).map { Person.numbered(1_000_000 + $0) }) }
                break
            } catch {
                failures += 1
                #expect((error as? Realm.Error)?.code == .outOfDiskSpace)
                #expect(!realm.isInWriteTransaction)
                #expect(try dump.lines() == before, "\(extra) pages")
            }
        }

        #expect((3..<200).contains(failures))
        #expect(realm.objects(Person.self).where { $0._id >= 1_000_000 }.count == 300)
    }

    private func number(_ sql: String, _ connection: Connection) throws -> Int {
        let statement = try connection.prepare(sql)
        defer { statement.reset() }
        return try statement.step() ? Int(statement.int(0)) : 0
    }

    #if os(Linux)
    @Test("at any byte that the log would grow by: thrown, rolled back, usable afterwards")
    func everyByte() async throws {
        let file = try TemporaryRealm()
        let path = file.folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            // The system refuses to let any file of this process grow further; by default it would end the process.
            signal(SIGXFSZ, SIG_IGN)
            let configuration = Realm.Configuration(
                fileURL: URL(fileURLWithPath: "\(path)/test.realm"),
                encryptionKey: TemporaryRealm.suiteKey,
                objectTypes: Sample.types
            )
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add((0..<50).map(Person.numbered)) }
            let dump = try FileDump(realm)
            let before = try dump.lines()
            var generator = SeededGenerator(seed: 11)
            var failures = 0
            for _ in 0..<40 {
                let size = try Self.size(of: "\(path)/test.realm-wal")
                Self.limitFiles(to: size + generator.below(30_000))
                let result = Result {
                    try realm.write {
                        realm.add((100..<600).map(Person.numbered))
                        realm.delete(realm.objects(Person.self).where { $0._id < 25 })
                    }
                }
                Self.limitFiles(to: nil)
                guard case .failure(let error) = result else {
                    // The log was long enough already: take the changes back.
                    try realm.write {
                        realm.delete(realm.objects(Person.self).where { $0._id >= 100 })
                        realm.add((0..<25).map(Person.numbered))
                    }
                    continue
                }
                failures += 1
                let codes: [Realm.Error.Code?] = [.outOfDiskSpace, .fileOperationFailed]
                #expect(codes.contains((error as? Realm.Error)?.code), "\(error)")
                #expect(!realm.isInWriteTransaction)
                #expect(realm.objects(Person.self).count == 50)
                if failures == 1 { #expect(try dump.lines() == before) }
            }
            let count = failures
            #expect(count > 5)
            try realm.core.store.connection.verify()
            try realm.write { realm.add(Person.numbered(1000)) }
            #expect(realm.objects(Person.self).count == 51)
        }
    }

    private static func size(of path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    /// Lets no file of this process grow beyond a size.
    static func limitFiles(to size: Int?) {
        var limit = rlimit(rlim_cur: size.map { rlim_t($0) } ?? .max, rlim_max: .max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }
    #endif
}
