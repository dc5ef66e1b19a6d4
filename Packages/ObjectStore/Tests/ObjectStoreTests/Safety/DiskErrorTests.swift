import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("What SQLite reports becomes a sentence with a remedy")
struct DiskErrorTests {
    @Test("a full disk loses the open transaction only, and the next one works when there is space")
    func fullDisk() throws {
        let file = try TemporaryRealm()
        let realm = try file.open()
        try realm.write { realm in realm.add(Person.numbered(0)) }
        let connection = realm.core.store.connection
        try connection.execute("PRAGMA max_page_count = 1")

        let error = #expect(throws: Realm.Error.self) {
            try realm.write { realm in realm.add((1...2000).map(Person.numbered)) }
        }

        #expect(error?.code == .outOfDiskSpace)
        let path = try #require(error?.fileURL).path
        #expect(
            error?.message == """
                The disk that holds the realm '\(path)' is full: nothing of this transaction was kept; free some space \
                and try again.
                """
        )
        #expect(error?.details == ["SQLite error 13: database or disk is full"])
        #expect(realm.objects(Person.self).map(\._id) == [0])

        try connection.execute("PRAGMA max_page_count = 1000000")
        try realm.write { realm in realm.add(Person.numbered(1)) }
        #expect(realm.objects(Person.self).count == 2)
    }

    @Test("a file that must not be written says whose permission is missing")
    func permission() throws {
        let file = try TemporaryRealm()
        let realm = try file.open()
        try realm.core.store.connection.execute("PRAGMA query_only = ON")

        let error = #expect(throws: Realm.Error.self) {
            try realm.write { realm in realm.add(Person.numbered(1)) }
        }

        #expect(error?.code == .filePermissionDenied)
        #expect(error?.message.contains("check the permissions of the file and its folder") == true)
        #expect(error?.details == ["SQLite error 8: attempt to write a readonly database"])
        #expect(realm.isEmpty)
    }

    @Test("a damaged file says how to begin anew", .enabled(if: TemporaryRealm.suiteKey == nil))
    func damage() throws {
        let file = try TemporaryRealm()
        let url = try #require(file.configuration.fileURL)
        do {
            let realm = try file.open()
            try realm.write { realm in realm.add((1...500).map(Person.numbered)) }
        }
        var bytes = try Data(contentsOf: url)
        bytes.replaceSubrange(100..<4096, with: Data(repeating: 0xA5, count: 3996))
        try bytes.write(to: url)

        let error = #expect(throws: Realm.Error.self) { try file.open() }

        #expect(error?.code == .invalidDatabase)
        #expect(error?.message.contains("put back a whole copy, or delete it with 'Realm.deleteFiles(for:)'") == true)
        #expect(error?.details.first?.hasPrefix("SQLite error 11: ") == true)
    }

    @Test(
        "every other code has its kind",
        arguments: [
            (3, Realm.Error.Code.filePermissionDenied), (5, .fail), (10, .fileOperationFailed),
            (778, .fileOperationFailed),
            (14, .fileAccess), (23, .filePermissionDenied), (26, .invalidDatabase), (21, .fail),
        ] as [(Int32, Realm.Error.Code)]
    )
    func kinds(_ sqliteCode: Int32, _ code: Realm.Error.Code) {
        let error = Realm.Error(sqlite: sqliteCode, "a report", fileURL: URL(fileURLWithPath: "/a.realm"))

        #expect(error.code == code)
        #expect(error.sqliteCode == sqliteCode)
        #expect(error.message.hasSuffix("."))
        #expect(error.details == ["SQLite error \(sqliteCode): a report"])
    }

    @Test("errors are equal by their code alone, and only a unique index makes a violation")
    func equality() {
        let url = URL(fileURLWithPath: "/a.realm")
        let violation = Realm.Error(sqlite: 2067, "UNIQUE constraint failed", fileURL: url)

        #expect(violation == Realm.Error(.fail, "another sentence"))
        #expect(violation.isUniqueViolation)
        #expect(!Realm.Error(sqlite: 1299, "NOT NULL constraint failed", fileURL: url).isUniqueViolation)
        #expect(!Realm.Error(.fail, "SQLite error 2067").isUniqueViolation)
    }
}
