import ArgumentParser
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import SQLiteStore
import Testing

@testable import DaybookCommand

@Suite("Commands that refuse to damage what is there")
struct DataFolderCommandTests {
    /// A data folder with an event and the keys of its server.
    private static func folder(_ place: TestFolder) async throws -> DataFolder {
        let data = try DataFolder(place.file("data"))
        _ = try data.signingKey()
        _ = try await data.tokenIssuer(clock: SystemClock())
        var device = SampleDevice()
        device.record(["Rounds"])
        _ = try await SQLiteEventStore(path: data.databasePath).accept(device.upload(1...1))
        return data
    }

    @Test("a second server on a folder is refused, and says what to do")
    func secondServer() async throws {
        let place = try TestFolder.made()
        let data = try await Self.folder(place)
        let lock = try data.lock()

        let refused = await CommandOutcome.of(["serve", "--data", data.path])

        #expect(refused.code == 1)
        #expect(refused.message.contains("another server uses it; stop that one, or start with --ignore-lock"))
        withExtendedLifetime(lock) {}
    }

    @Test(
        "a server whose key of receipts or of tokens is lost makes no other one by itself",
        arguments: ["signing", "token"]
    )
    func lostKeys(name: String) async throws {
        let place = try TestFolder.made()
        let data = try await Self.folder(place)
        let path = "\(data.path)/\(name).key"
        try FileManager.default.removeItem(atPath: path)

        let refused = await CommandOutcome.of(["serve", "--data", data.path])

        #expect(refused.code == 1)
        #expect(refused.message.contains(path))
        #expect(refused.message.contains("bring it from a backup, or have another one made with --make-missing-keys"))
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try data.signingKey(makingMissing: true).publicKey.count == 32)
    }

    @Test("an import keeps the accounts where they are, and does not write over the copy of an import before")
    func importing() async throws {
        let place = try TestFolder.made()
        let data = try DataFolder(place.file("data"))
        let accounts = try SQLiteAccountStore(path: data.accountsPath)
        let user = EventOwner(app: "a", user: "1")
        try await accounts.remove(user)
        try data.copyAccounts(to: data.importedAccountsPath)
        let before = try #require(FileManager.default.contents(atPath: data.importedAccountsPath))

        let refused = await CommandOutcome.of([
            "users", "import", "--data", data.path, "--postgres", "postgresql://nobody@127.0.0.1:1/none",
        ])

        #expect(refused.code == 1)
        #expect(refused.message.contains(data.importedAccountsPath))
        #expect(refused.message.contains("of an import before; move it away to import again"))
        #expect(FileManager.default.contents(atPath: data.importedAccountsPath) == before)
        #expect(try await SQLiteAccountStore(path: data.accountsPath).isRemoved(user))
        #expect(try await SQLiteAccountStore(path: data.importedAccountsPath).isRemoved(user))
    }

    @Test("a token is not issued into a file that is there, and the file stays")
    func tokenFile() async throws {
        let place = try TestFolder.made()
        let data = try DataFolder(place.file("data"))
        let accounts = InMemoryAccountStore()
        let service = AuditService(
            configuration: ServerConfiguration(),
            store: InMemoryEventStore(),
            index: try SearchIndex(),
            accounts: accounts,
            tokens: try await data.tokenIssuer(clock: SystemClock()),
            key: try data.signingKey()
        )
        let path = place.file("adams.token")
        try Data("what somebody needs".utf8).write(to: URL(filePath: path))

        try await RunningServer.with(service) { port in
            let arguments = [
                "token", "issue", "--server", "http://127.0.0.1:\(port)", "--token-file", data.administratorTokenPath,
                "--out",
            ]
            let refused = await CommandOutcome.of(arguments + [path, "Dr. Adams"])
            #expect(refused.code == 1)
            #expect(refused.message.contains("there is something already"))
            #expect(FileManager.default.contents(atPath: path) == Data("what somebody needs".utf8))
            #expect(try await accounts.tokens(after: nil, limit: 9) == [])
            let other = place.file("other.token")
            #expect(await CommandOutcome.of(arguments + [other, "Dr. Adams"]).code == 0)
            let attributes = try FileManager.default.attributesOfItem(atPath: other)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            #expect(try await accounts.tokens(after: nil, limit: 9).count == 1)
        }
    }
}
