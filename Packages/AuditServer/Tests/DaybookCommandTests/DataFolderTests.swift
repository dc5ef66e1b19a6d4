import AuditAccounts
import AuditModel
import AuditServerTesting
import DaybookCommand
import EventModel
import EventModelTesting
import Foundation
import SQLiteStore
import Testing

@Suite("The server's data folder")
struct DataFolderTests {
    @Test("tokens are accepted again after a restart, and the auditor's token is in its file")
    func restart() async throws {
        let folder = try TestFolder.made()
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
        let folder = try TestFolder.made()
        let clock = ManualClock()
        let before = try await DataFolder(folder.file("data")).tokenIssuer(clock: clock)
        let token = try await before.issue(.auditor, for: .access)

        let after = try await DataFolder(folder.file("data")).tokenIssuer(clock: clock)

        #expect(try await after.identity(of: token, for: .access) == .auditor)
    }

    @Test("only the owner may read the key and the token")
    func permissions() async throws {
        let folder = try TestFolder.made()
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
        let folder = try TestFolder.made()
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
        let folder = try TestFolder.made()
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
        let folder = try TestFolder.made()
        try Data().write(to: URL(fileURLWithPath: folder.file("file")))

        #expect(throws: AuditServerError.inaccessible(path: folder.file("file"), reason: "not a directory")) {
            try DataFolder(folder.file("file"))
        }
    }

    // MARK: - Others

    @Test("one server uses a folder at a time, and the next one when that has ended")
    func lock() throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.file("data"))
        var first: DataFolderLock? = try data.lock()

        let error = #expect(throws: AuditServerError.self) { try DataFolder(data.path).lock() }
        #expect(
            error?.description.contains("another server uses it; stop that one, or start with --ignore-lock") == true
        )
        withExtendedLifetime(first) {}
        first = nil
        #expect(throws: Never.self) { try data.lock() }
    }

    @Test(
        "a folder that others may write to is refused with what to do about it",
        arguments: [0o777, 0o770, 0o702, 0o720]
    )
    func sharedFolder(mode: Int) throws {
        let folder = try TestFolder.made()
        let path = folder.file("data")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)

        #expect(
            throws: AuditServerError.inaccessible(
                path: path,
                reason: "others may write to it; take that away with 'chmod go-w'"
            )
        ) { try DataFolder(path) }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        #expect(throws: Never.self) { try DataFolder(path) }
    }

    @Test(
        "a symbolic link in the place of a database, of a file beside one or of a key is refused, and nothing is written to it"
    )
    func links() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.file("data"))
        let target = folder.file("elsewhere")
        try Data().write(to: URL(filePath: target))
        func refused(_ path: String, _ body: () async throws -> Void) async throws {
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            let error = await #expect(throws: AuditServerError.self) { try await body() }
            #expect(error?.description.contains("it is a symbolic link") == true, "\(path)")
            #expect(FileManager.default.contents(atPath: target) == Data())
            try FileManager.default.removeItem(atPath: path)
        }

        for path in [data.databasePath, data.databasePath + "-wal", data.databasePath + "-journal"] {
            try await refused(path) { _ = try SQLiteEventStore(path: data.databasePath) }
        }
        try await refused(data.accountsPath) { _ = try SQLiteAccountStore(path: data.accountsPath) }
        try await refused(data.searchPath) { _ = try SearchIndex(path: data.searchPath) }
        try await refused(data.signingKeyPath) { _ = try data.signingKey() }
        try await refused(data.tokenKeyPath) { _ = try await data.tokenIssuer(clock: ManualClock()) }
        try await refused("\(data.path)/lock") { _ = try data.lock() }
    }

    @Test("a database that others may read is theirs no more")
    func tightening() throws {
        let folder = try TestFolder.made()
        let path = folder.file("accounts.sqlite")
        try Data().write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)

        _ = try SQLiteAccountStore(path: path)

        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("a key that is missing is made for a new folder, and for one with events only when somebody says so")
    func missingKeys() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.file("data"))

        for path in [data.signingKeyPath, data.tokenKeyPath] {
            let error = await #expect(throws: AuditServerError.self) {
                if path == data.signingKeyPath {
                    _ = try data.signingKey(makingMissing: false)
                } else {
                    _ = try await data.tokenIssuer(clock: ManualClock(), makingMissing: false)
                }
            }
            #expect(error?.description.contains("--make-missing-keys") == true)
            #expect(error?.description.contains(path) == true)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
        let key = try data.signingKey().publicKey
        _ = try await data.tokenIssuer(clock: ManualClock())
        #expect(try data.signingKey(makingMissing: false).publicKey == key)
        #expect(throws: Never.self) { try data.signingKey(makingMissing: false) }
    }

    @Test("a file that is not to be replaced stays as it is")
    func keeping() throws {
        let folder = try TestFolder.made()
        let path = folder.file("adams.token")
        try PrivateFile.write([1], to: path, replacing: false)

        #expect(throws: AuditServerError.inaccessible(path: path, reason: "file exists")) {
            try PrivateFile.write([2], to: path, replacing: false)
        }
        #expect(try PrivateFile.read(path) == [1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["adams.token"])
    }
}
