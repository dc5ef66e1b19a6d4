import ArgumentParser
import AuditArchives
import AuditExport
import AuditHTTP
import AuditModel
import AuditReview
import AuditServerTesting
import EventModel
import EventModelTesting
import EventPartitions
import EventProofs
import Foundation
import SQLiteStore
import Testing

@testable import DaybookCommand

@Suite("The command that exports")
struct ExportCommandTests {
    private func export(_ arguments: [String]) async throws {
        let command = try #require(try DaybookCommand.parseAsRoot(["export"] + arguments) as? ExportCommand)
        try await command.run()
    }

    private func verify(_ arguments: [String]) async throws {
        let command = try #require(try DaybookCommand.parseAsRoot(["verify"] + arguments) as? VerifyCommand)
        try await command.run()
    }

    private func files(in folder: TestFolder) throws {
        var device = SampleDevice()
        for activity in ["Rounds", "=1+1", "Handover"] {
            device.record(device.event(activity, metadata: try EventMetadata(["userId": "ada"])))
        }
        let files = try PartitionedEventFiles(
            EventFolder(root: folder.file("events"), appID: "local", userID: "local", prefix: "ward")
        )
        _ = try files.append(device.events)
        try files.close()
    }

    @Test("files are exported without a server and verified; a changed byte ends verification with 1")
    func local() async throws {
        let folder = try TestFolder.made()
        try files(in: folder)
        let out = folder.file("out")
        let formats = ["csv", "jsonl", "fhir", "ocsf"].flatMap { ["--format", $0] }
        try await export(["--files", folder.file("events"), "--out", out] + formats)

        #expect(
            try FileManager.default.contentsOfDirectory(atPath: out).sorted() == [
                "cover.html", "events.csv", "events.fhir.ndjson", "events.jsonl", "events.ocsf.jsonl", "manifest.json",
                "proofs.jsonl",
            ]
        )
        try await verify([out])
        await #expect(throws: ExitCode(1)) { try await verify([out, "--key", String(repeating: "0", count: 64)]) }
        await #expect(throws: CommandError.self) { try await export(["--files", folder.file("events"), "--out", out]) }

        let csv = URL(filePath: "\(out)/events.csv")
        var text = try Data(contentsOf: csv)
        #expect(text.range(of: Data(",'=1+1,".utf8)) != nil)
        let place = try #require(text.range(of: Data("Handover".utf8))).lowerBound
        text[place] ^= 1
        try text.write(to: csv)
        await #expect(throws: ExitCode(1)) { try await verify([out, "--json"]) }
    }

    @Test("an export is one file that verifies by itself; a changed byte in it is found, and nothing else is left")
    func zipped() async throws {
        let folder = try TestFolder.made()
        try files(in: folder)
        let zip = folder.file("ada.zip")
        try await export(["--files", folder.file("events"), "--zip", zip, "--format", "csv"])

        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["ada.zip", "events"])
        let mode = try FileManager.default.attributesOfItem(atPath: zip)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let outcome = await CommandOutcome.of(["verify", zip])
        #expect(
            outcome.code == 0 && outcome.output.hasSuffix("3 events, 1 partitions verified\n"),
            "\(outcome.message)"
        )
        await #expect(throws: CommandError.self) {
            try await export(["--files", folder.file("events"), "--zip", zip])
        }
        var bytes = try Data(contentsOf: URL(filePath: zip))
        let place = try #require(bytes.range(of: Data("Handover".utf8))).lowerBound
        bytes[place] ^= 1
        try bytes.write(to: URL(filePath: zip))
        let changed = await CommandOutcome.of(["verify", zip])
        #expect(changed.code != 0 && changed.message.contains("the checksum of events.csv in it is wrong"))
        try Data("nothing".utf8).write(to: URL(filePath: zip))
        let none = await CommandOutcome.of(["verify", zip])
        #expect(none.code != 0 && none.message.contains("neither the folder of an export nor its zip"))
    }

    @Test("exactly the filtered events of files are exported")
    func filtered() async throws {
        let folder = try TestFolder.made()
        try files(in: folder)
        let out = folder.file("out")
        try await export(["--files", folder.file("events"), "--out", out, "--activity", "Rounds", "--json"])
        let lines = try Data(contentsOf: URL(filePath: "\(out)/events.jsonl")).split(separator: 0x0A)
        #expect(lines.count == 1)
        try await verify([out])
    }

    @Test("a server makes the export, and the command fetches, verifies and removes it")
    func remote() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.path)
        let store = try SQLiteEventStore(path: data.databasePath)
        let tokens = try await data.tokenIssuer(clock: SystemClock())
        var device = SampleDevice()
        device.record((1...1500).map { "activity \($0 % 3)" })
        _ = try await store.accept(device.upload(1...1500, seal: device.seal()))
        let key = try SigningKey(SigningKey.makeKey())
        let service = AuditService(
            configuration: ServerConfiguration(),
            store: store,
            index: try SearchIndex(),
            accounts: InMemoryAccountStore(),
            tokens: tokens,
            key: key,
            exports: try ExportFolder(data.exportsPath)
        )
        let out = folder.file("out")
        try await RunningServer.with(service) { port in
            try await export([
                "--server", "http://127.0.0.1:\(port)", "--token-file", data.auditorTokenPath, "--out", out,
                "--activity", "activity 1", "--reason", "an incident",
            ])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: data.exportsPath).isEmpty)
        let lines = try Data(contentsOf: URL(filePath: "\(out)/events.jsonl")).split(separator: 0x0A)
        #expect(lines.count == 500)
        try await verify([out, "--key", Hexadecimal.text(key.exportKey.publicKey)])
    }

    @Test("a server that signs exports with another key than it states is refused, and nothing is left")
    func otherKey() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.path)
        let secrets = [SigningKey.makeKey(), SigningKey.makeKey()]
        let (before, now) = (try SigningKey(secrets[0]).publicKeys, try SigningKey(secrets[1]).publicKeys)
        let thief = try SigningKey(SigningKey.makeKey()).exportKey.publicKey
        let stated = try ServerKeys(receipts: now.receipts, log: now.log, trail: now.trail, exports: thief)
        let statement = try KeySuccession(
            from: before,
            to: stated,
            at: EventInstant(microseconds: 0),
            signedBy: secrets.map {
                try EdwardsNoteSigner(name: KeySuccession.signerName, algorithm: .ed25519, rawRepresentation: $0)
            }
        )
        let service = AuditService(
            configuration: ServerConfiguration(),
            store: InMemoryEventStore(),
            index: try SearchIndex(),
            accounts: InMemoryAccountStore(),
            tokens: try await data.tokenIssuer(clock: SystemClock()),
            key: try SigningKey(secrets[1]),
            keyHistory: try KeyHistory([statement]),
            exports: try ExportFolder(data.exportsPath)
        )
        let out = folder.file("out")
        try await RunningServer.with(service) { port in
            await #expect(throws: CommandError.self) {
                try await export([
                    "--server", "http://127.0.0.1:\(port)", "--token-file", data.auditorTokenPath, "--out", out,
                ])
            }
        }
        #expect(!FileManager.default.fileExists(atPath: out))
    }

    @Test("an export that the user ends leaves nothing, neither here nor on the server")
    func cancelling() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.path)
        // The export alone comes to the gate: nothing is verified beside it.
        var configuration = ServerConfiguration()
        configuration.alerts.verifiedEventsPerSecond = 0
        let store = GatedEventStore(InMemoryEventStore())
        var device = SampleDevice()
        device.record(["a", "b"])
        _ = try await store.accept(device.upload(1...2, seal: device.seal()))
        let service = AuditService(
            configuration: configuration,
            store: store,
            index: try SearchIndex(),
            accounts: InMemoryAccountStore(),
            tokens: try await data.tokenIssuer(clock: SystemClock()),
            key: SampleDevice.serverKey,
            exports: try ExportFolder(data.exportsPath)
        )
        try await RunningServer.with(service) { port in
            let place = ["--server", "http://127.0.0.1:\(port)", "--token-file", data.auditorTokenPath]
            let parsed = try DaybookCommand.parseAsRoot(["export", "--out", folder.file("out")] + place)
            let command = try #require(parsed as? ExportCommand)
            let export = Task { try await command.make() }
            await store.waitForArrival()

            export.cancel()

            await #expect(throws: CancellationError.self) { try await export.value }
            let remote = try RemoteServer("http://127.0.0.1:\(port)", token: Token.read(nil, orFile: place[3]))
            let left = try await remote.get("exports").body
            #expect(String(decoding: left, as: UTF8.self) == "[]")
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.filter { $0.hasPrefix("out") } == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: data.exportsPath).isEmpty)
    }

    @Test(
        "what makes no sense for an export is refused",
        arguments: [
            ["verify", "out", "--files", "x"], ["verify", "--files", "x", "--key", "00"],
            ["export", "--files", "x", "--out", "y", "--format", "pdf"], ["export", "--files", "x"],
            ["export", "--files", "x", "--out", "y", "--zip", "z"],
        ]
    )
    func refused(arguments: [String]) {
        #expect(throws: (any Error).self) { try DaybookCommand.parseAsRoot(arguments) }
    }
}
