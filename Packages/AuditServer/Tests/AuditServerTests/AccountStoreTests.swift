import AuditServer
import AuditServerTesting
import EventModel
import Foundation
import Testing

@Suite("Stores of accounts")
struct AccountStoreTests {
    @Test("the store in memory keeps the contract")
    func inMemory() async throws {
        #expect(try await AccountStoreConformance { InMemoryAccountStore() }.violations() == [])
    }

    @Test("the store in SQLite keeps the contract")
    func sqlite() async throws {
        let folder = try TemporaryFolder()
        let conformance = AccountStoreConformance {
            try SQLiteAccountStore(path: folder.file("\(UUID().uuidString).sqlite"))
        }

        #expect(try await conformance.violations() == [])
    }

    @Test("accounts are there after a restart, and only the owner may read their file")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("accounts.sqlite")
        let user = EventOwner(app: "ward", user: "1")
        let email = try EmailAddress("a@b.example")
        let account = PasswordAccount(user: user, email: email, hash: try PasswordHash(of: "a password"))
        _ = try await SQLiteAccountStore(path: path).add(account)

        let store = try SQLiteAccountStore(path: path)

        #expect(try await store.account(of: email, app: "ward") == account)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("a file that is no database is refused with its path")
    func noDatabase() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("accounts.sqlite")
        try Data(repeating: 7, count: 8192).write(to: URL(filePath: path))

        #expect(throws: AuditServerError.inaccessible(path: path, reason: "the database is damaged")) {
            try SQLiteAccountStore(path: path)
        }
    }

    @Test("an address is one in any letters, and a text of another form is none")
    func addresses() throws {
        #expect(try EmailAddress(" Nurse@Ward.Example\n") == EmailAddress("nurse@ward.example"))
        for text in ["", "@", "a@", "@b", "a@b@c", "a b@c", "a@b\u{0}", String(repeating: "a", count: 254) + "@b"] {
            #expect(throws: AuditServerError.self, "\(text)") { try EmailAddress(text) }
        }
    }
}
