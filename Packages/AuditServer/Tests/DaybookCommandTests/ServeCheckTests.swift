import AuditHTTP
import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import Testing

@testable import DaybookCommand

@Suite("Looking at what a server would start with")
struct ServeCheckTests {
    private let place: TestFolder

    init() throws { place = try TestFolder.made() }

    @Test("a folder that is not there is named, and not made")
    func newFolder() async throws {
        let path = place.file("data")

        let outcome = await CommandOutcome.of(["serve", "--check", "--data", path])

        #expect(outcome.code == 0)
        #expect(outcome.output.contains("ok       folder: \(path) is made when the server starts\n"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a server that runs is not disturbed, and nothing in its folder changes")
    func running() async throws {
        let data = try DataFolder(place.file("data"))
        let lock = try data.lock()
        _ = try data.identity(makingMissing: true)
        _ = try await data.tokenIssuer(clock: SystemClock())
        try Data().write(to: URL(fileURLWithPath: data.databasePath))
        let before = try contents(of: data.path)

        let outcome = await CommandOutcome.of(["serve", "--check", "--data", data.path, "--json"])

        #expect(outcome.code == 0)
        #expect(try outcome.lines(Line.self).map(\.state) == ["ok", "ok", "ok", "ok", "ok"])
        #expect(try contents(of: data.path) == before)
        withExtendedLifetime(lock) {}
    }

    @Test("everything that is wrong is told at once, and ends with 1")
    func problems() async throws {
        let data = try DataFolder(place.file("data"))
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: data.path)
        let arguments = [
            "serve", "--check", "--data", data.path, "--host", "0.0.0.0",
            "--postgres", "host=/nonexistent", "--tls-certificate", "none.pem", "--tls-key", "none.key",
        ]

        let outcome = await CommandOutcome.of(arguments)

        #expect(outcome.code == 1)
        let lines = outcome.output.split(separator: "\n").filter { $0.hasPrefix("problem") }
        #expect(lines.count == 3)
        #expect(lines.contains { $0.contains("none.pem: it is missing or holds no certificate") })
        #expect(lines.contains { $0.contains("take that away with 'chmod go-w'") })
        #expect(lines.contains { $0.contains("PostgreSQL cannot be reached") })
    }

    @Test("a key that is missing beside a database, and one that others may read, are told of")
    func keys() async throws {
        let data = try DataFolder(place.file("data"))
        _ = try data.identity(makingMissing: true)
        try Data().write(to: URL(fileURLWithPath: data.databasePath))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: data.signingKeyPath)

        let outcome = await CommandOutcome.of(["serve", "--check", "--data", data.path])

        #expect(outcome.code == 1)
        #expect(outcome.output.contains("problem  key of receipts: The server cannot use \(data.signingKeyPath)"))
        #expect(outcome.output.contains("warning  key of tokens: \(data.tokenKeyPath) is missing"))
    }

    @Test("connections that others could read along are a warning, unless they stay on this machine")
    func openNetwork() async throws {
        let outcome = await CommandOutcome.of(["serve", "--check", "--data", place.file("data"), "--host", "0.0.0.0"])

        #expect(outcome.code == 0)
        #expect(outcome.output.contains("warning  certificate: none; tokens and events go over the network"))
    }

    @Test("a certificate is told of three weeks before it ends, and is a problem outside of its time")
    func certificate() async throws {
        let (chain, key) = (place.file("chain.pem"), place.file("key.pem"))
        let made = try SpawnedProgram.run(
            [
                "openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-days", "100", "-subj", "/CN=localhost", "-keyout", key, "-out", chain,
            ],
            errorsIn: place.file("errors")
        )
        try #require(made.status == 0, "\(made.errors)")
        var configuration = ServerConfiguration()
        configuration.certificate = .init(chainFile: chain, keyFile: key)

        var states: [ServeCheck.Finding.State] = []
        for days in [0, 78, 80, 101, -1] as [Int64] {
            let now = EventInstant(microseconds: SystemClock().now().wall.microseconds + days * 86_400_000_000)
            let check = ServeCheck(configuration, folder: place.file("data"), nil, at: now)
            states += await check.findings().filter { $0.subject == "certificate" }.map(\.state)
        }

        #expect(states == [.ok, .ok, .warning, .problem, .problem])
    }

    @Test("what changes something is refused beside it")
    func contradicting() async {
        for option in ["--rotate-token-key", "--rotate-signing-key", "--make-missing-keys", "--ignore-lock"] {
            let outcome = await CommandOutcome.of(["serve", "--check", option])
            #expect(outcome.code == 64)
            #expect(outcome.message.contains("--check changes nothing"))
        }
    }

    private struct Line: Decodable {
        let state: String
    }

    /// What each file of a folder has, and when it was changed.
    private func contents(of folder: String) throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let path = "\(folder)/\(name)"
                let changed = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
                let bytes = FileManager.default.contents(atPath: path).map { Array($0) }
                return (name, "\(changed ?? "") \(bytes ?? [])")
            }
        )
    }
}
