import AuditServer
import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import Testing

@Suite("The server's data folder")
struct DataFolderTests {
    @Test("tokens are accepted again after a restart, and the auditor's token is in its file")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let clock = ManualClock()
        let owner = EventOwner(app: "a", user: "b")
        let before = try await DataFolder(folder.file("data")).tokenIssuer(clock: clock)
        let token = try await before.issue(.uploader(owner), for: .access)

        let data = try DataFolder(folder.file("data"))
        let after = try await data.tokenIssuer(clock: clock)

        let written = try String(contentsOfFile: data.auditorTokenPath, encoding: .utf8)
        #expect(try await after.identity(of: token, for: .access) == .uploader(owner))
        #expect(try await after.identity(of: written.trimmingCharacters(in: .newlines), for: .access) == .reviewer)
    }

    @Test("an auditor's token of an earlier version is an auditor's still")
    func earlierToken() async throws {
        let folder = try TemporaryFolder()
        let clock = ManualClock()
        let before = try await DataFolder(folder.file("data")).tokenIssuer(clock: clock)
        let token = try await before.issue(.auditor, for: .access)

        let after = try await DataFolder(folder.file("data")).tokenIssuer(clock: clock)

        #expect(try await after.identity(of: token, for: .access) == .auditor)
    }

    @Test("only the owner may read the key and the token")
    func permissions() async throws {
        let folder = try TemporaryFolder()
        let data = try DataFolder(folder.file("a/b"))
        _ = try await data.tokenIssuer(clock: ManualClock())

        let expectations = [(data.path, 0o700), (data.tokenKeyPath, 0o600), (data.auditorTokenPath, 0o600)]
        for (path, permissions) in expectations {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == permissions, "\(path)")
        }
    }

    @Test("a damaged key is refused and not replaced")
    func damagedKey() async throws {
        let folder = try TemporaryFolder()
        let data = try DataFolder(folder.path)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: data.tokenKeyPath))

        await #expect(
            throws: AuditServerError.inaccessible(path: data.tokenKeyPath, reason: "it does not hold 32 bytes")
        ) {
            try await data.tokenIssuer(clock: ManualClock())
        }
    }

    @Test("the key of receipts is made once, for the owner alone, and a damaged one is not replaced")
    func signingKey() throws {
        let folder = try TemporaryFolder()
        let data = try DataFolder(folder.file("data"))
        let key = try data.signingKey()

        let attributes = try FileManager.default.attributesOfItem(atPath: data.signingKeyPath)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try DataFolder(data.path).signingKey().publicKey == key.publicKey)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: data.signingKeyPath))
        #expect(
            throws: AuditServerError.inaccessible(path: data.signingKeyPath, reason: "it does not hold 32 bytes")
        ) { try data.signingKey() }
    }

    @Test("a folder that cannot be made is refused with its name")
    func noFolder() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.file("file")))

        #expect(throws: AuditServerError.inaccessible(path: folder.file("file"), reason: "not a directory")) {
            try DataFolder(folder.file("file"))
        }
    }
}
