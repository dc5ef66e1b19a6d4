import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import Testing

@testable import AuditModel
@testable import SQLiteStore

@Suite("Stores of accounts")
struct AccountStoreTests {
    @Test("the store in memory keeps the contract")
    func inMemory() async throws {
        #expect(try await AccountStoreConformance { InMemoryAccountStore() }.violations() == [])
    }

    @Test("the store in SQLite keeps the contract")
    func sqlite() async throws {
        let folder = try TestFolder.made()
        let conformance = AccountStoreConformance {
            try SQLiteAccountStore(path: folder.file("\(UUID().uuidString).sqlite"))
        }

        #expect(try await conformance.violations() == [])
    }

    @Test("accounts are there after a restart, and only the owner may read their file")
    func restart() async throws {
        let folder = try TestFolder.made()
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

    @Test(
        "users, removed users and tokens are copied to another store with their ids, once, and nothing there is replaced"
    )
    func copying() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteAccountStore(path: folder.file("accounts.sqlite"))
        let other = InMemoryAccountStore()
        func account(_ app: String, _ user: String) throws -> PasswordAccount {
            PasswordAccount(
                user: EventOwner(app: app, user: user),
                email: try EmailAddress("\(user)@ward.example"),
                hash: try PasswordHash(of: "a password", cost: PasswordHash.Cost(logarithm: 10))
            )
        }
        let accounts = [try account("ward", "a"), try account("ward", "b"), try account("lab", "a")]
        for account in accounts { _ = try await store.add(account) }
        let gone = EventOwner(app: "ward", user: "gone")
        try await store.remove(gone)
        let token = IssuedToken(
            id: "000000000000000000000001",
            identity: .auditor,
            name: "Dr. Adams",
            issued: SampleDevice.received,
            expires: SampleDevice.received
        )
        try await store.add(token)
        try await other.remove(accounts[1].user)

        let copied = try await store.copy(to: other)
        let again = try await store.copy(to: other)

        #expect(([copied.users, copied.leftOut, copied.removedUsers, copied.tokens] as [Int]) == [2, 1, 1, 1])
        #expect(([again.users, again.leftOut, again.tokens] as [Int]) == [0, 3, 0])
        #expect(try await other.account(of: accounts[0].email, app: "ward") == accounts[0])
        #expect(try await other.account(of: accounts[2].email, app: "lab") == accounts[2])
        #expect(try await other.account(of: accounts[1].email, app: "ward") == nil)
        #expect(try await other.isRemoved(gone))
        #expect(try await other.token(token.id) == token)
        #expect(try await store.accountCount() == 3)
    }

    @Test("a file that is no database is refused with its path")
    func noDatabase() throws {
        let folder = try TestFolder.made()
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
