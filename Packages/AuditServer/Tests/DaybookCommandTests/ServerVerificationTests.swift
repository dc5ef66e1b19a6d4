import ArgumentParser
import AuditAccounts
import AuditArchives
import AuditHTTP
import AuditModel
import AuditServerTesting
import AuditVerifying
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import GRDB
import LogPublishing
import SQLiteStore
import Testing

@testable import DaybookCommand

@Suite("Verification of a server")
struct ServerVerificationTests {
    private func service(
        _ store: any AuditStore,
        _ tokens: TokenIssuer,
        _ configuration: ServerConfiguration = ServerConfiguration(),
        key: SigningKey = SampleDevice.serverKey,
        ids: any ObjectIdSource = ObjectIdGenerator.system,
        logFolder: LogFolder? = nil,
        history: KeyHistory = KeyHistory(),
        trailFile: String? = nil
    ) throws -> AuditService {
        AuditService(
            configuration: configuration,
            store: store,
            index: try SearchIndex(),
            accounts: InMemoryAccountStore(),
            tokens: tokens,
            key: key,
            keyHistory: history,
            ids: ids,
            logFolder: logFolder,
            trailFile: trailFile
        )
    }

    /// Who issues tokens, and one for an auditor.
    private func auditor(of data: DataFolder) async throws -> (TokenIssuer, String) {
        let tokens = try await data.tokenIssuer(clock: SystemClock())
        return (tokens, try await tokens.issue(.auditor, for: .access))
    }

    /// Runs a server that has sealed three partitions, and an auditor of it.
    private func withServer(
        _ body: (RemoteEventArchive, SQLiteEventStore, DatabaseQueue, [SampleDevice]) async throws -> Void
    ) async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.path)
        let store = try SQLiteEventStore(path: data.databasePath)
        let (tokens, token) = try await auditor(of: data)
        var devices: [SampleDevice] = []
        for number in 1...3 as ClosedRange<UInt32> {
            devices.append(try await sealed(number, in: store))
        }
        try await RunningServer.with(service(store, tokens)) { port in
            try await body(
                RemoteEventArchive(try RemoteServer("http://127.0.0.1:\(port)", token: token)),
                store,
                DatabaseQueue.beside(data.databasePath),
                devices
            )
        }
    }

    @discardableResult
    private func sealed(_ number: UInt32, in store: SQLiteEventStore) async throws -> SampleDevice {
        var device = SampleDevice(number)
        device.record(["a", "b"])
        _ = try await store.accept(device.upload(1...2, seal: device.seal()))
        return device
    }

    @Test("an intact log verifies, and goes on from the head that was kept")
    func intact() async throws {
        try await withServer { archive, store, _, _ async throws in
            let first = try #require(try await archive.verifyLog(since: nil, by: nil, stampedBy: nil))
            #expect(first.problems == [])
            #expect(first.log.size == 3)

            try await sealed(4, in: store)
            let second = try #require(try await archive.verifyLog(since: first.log, by: nil, stampedBy: nil))
            #expect(second.problems == [])
            #expect(second.verified)
            #expect(second.log.size == 4)
        }
    }

    @Test("a server's log is held against what it publishes, by the key and the witnesses that one names")
    func published() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.path)
        let store = InMemoryEventStore()
        try await store.acceptSealed(1...3)
        let (tokens, token) = try await auditor(of: data)
        var configuration = ServerConfiguration(limits: .forPolling)
        configuration.logOrigin = "log.example/daybook"
        let log = LogFolder(at: folder.file("log"), in: POSIXFileSystem())
        let service = try service(store, tokens, configuration, logFolder: log)
        let key = try SampleDevice.serverKey.logSigner(origin: "log.example/daybook").verifierKey
        let witness = try EdwardsNoteSigner(name: "witness.example", algorithm: .cosignature).verifierKey
        try await RunningServer.with(service) { port in
            let archive = RemoteEventArchive(try RemoteServer("http://127.0.0.1:\(port)", token: token))
            let alone = try WitnessPolicy(logKeys: [key])
            var log: VerifiedLog?
            // What was sealed is published within a second.
            while log?.publishedSize != 3 {
                do {
                    log = try await archive.verifyLog(since: nil, by: alone, stampedBy: nil)
                } catch CommandError.refused(404, _) {}
            }
            #expect(log?.problems == [] && log?.cosignatures == [])
            let asking = try WitnessPolicy(logKeys: [key], witnesses: [witness], quorum: 1)
            let missed = try #require(try await archive.verifyLog(since: nil, by: asking, stampedBy: nil))
            #expect(missed.problems.count == 1 && missed.publishedSize == nil)
            #expect(missed.problems.first?.hasPrefix("The published checkpoint is not accepted. ") == true)
        }
    }

    @Test("a server whose key was lost goes on with another one, and with a log of another name, as SERVER.md says")
    func lostKey() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.path)
        let store = InMemoryEventStore()
        try await store.acceptSealed(1...3)
        let (tokens, token) = try await auditor(of: data)
        let keys = [SampleDevice.serverKey, try SigningKey([UInt8](repeating: 8, count: 32))]
        for (place, key) in keys.enumerated() {
            var configuration = ServerConfiguration(limits: .forPolling)
            configuration.logOrigin = "log.example/\(place)"
            configuration.earlierKeys = keys.prefix(place).map(\.publicKey)
            let log = LogFolder(at: folder.file("log-\(place)"), in: POSIXFileSystem())
            let ids = SequentialIds(first: UInt32(place + 1) * 1000)
            let service = try service(store, tokens, configuration, key: key, ids: ids, logFolder: log)
            let policy = try WitnessPolicy(logKeys: [
                key.logSigner(origin: ExactText("log.example/\(place)")).verifierKey
            ])
            try await RunningServer.with(service) { port in
                let archive = RemoteEventArchive(try RemoteServer("http://127.0.0.1:\(port)", token: token))
                var log: VerifiedLog?
                while (log?.publishedSize ?? 0) < 3 {
                    do {
                        log = try await archive.verifyLog(since: nil, by: policy, stampedBy: nil)
                    } catch CommandError.refused(404, _) {}
                }
                #expect(log?.problems == [])
                var problems: [String] = []
                _ = try await archive.verify([]) { partition, _ in problems += partition.problems }
                #expect(problems == [])
            }
        }
        // What was published with the lost key is there for whoever has its public half.
        let tiles = TileFolder(at: folder.file("log-0"), in: POSIXFileSystem())
        let bytes = try #require(try tiles.checkpoint(limit: SignedNote.maximumBytes))
        let policy = try WitnessPolicy(logKeys: [keys[0].logSigner(origin: "log.example/0").verifierKey])
        #expect(try policy.verify(SignedCheckpoint(bytes)).checkpoint.size >= 3)
    }

    @Test("a server whose keys others follow goes on with the same log, and the trail has the statement")
    func rotatedKey() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.file("data"))
        let store = try SQLiteEventStore(path: data.databasePath)
        let (tokens, token) = try await auditor(of: data)
        let first = try data.identity().key
        let origin = ExactText("daybook/\(Hexadecimal.text(first.publicKey.prefix(8)))")
        for run: UInt32 in 1...3 {
            // The statement is of a time between what both keys seal.
            if run > 1 { try data.rotateSigningKey(at: SystemClock().now().wall) }
            let identity = try data.identity()
            let log = LogFolder(at: folder.file("log"), in: POSIXFileSystem())
            _ = try await sealed(run, in: store)
            let service = try service(
                store,
                tokens,
                key: identity.key,
                ids: SequentialIds(first: run * 1000),
                logFolder: log,
                history: identity.history,
                trailFile: data.trailPath
            )
            let policy = try WitnessPolicy(logKeys: [identity.key.logSigner(origin: origin).verifierKey])
            try await RunningServer.with(service) { port in
                let server = try RemoteServer("http://127.0.0.1:\(port)", token: token)
                let archive = RemoteEventArchive(server)
                var log: VerifiedLog?
                while (log?.publishedSize ?? 0) < UInt64(2 * run - 1) {
                    do {
                        log = try await archive.verifyLog(since: nil, by: policy, stampedBy: nil)
                    } catch CommandError.refused(404, _) {}
                }
                let unregistered =
                    "\(run) of the \(run) keys of devices that sealed partitions are not registered: "
                    + "only the seals and the server say whose they are."
                #expect(log?.problems == [] && log?.remarks == [unregistered])
                let history = try await server.trailKeys()?.history ?? KeyHistory()
                #expect(history.successions(behind: first.publicKey).count == Int(run) - 1)
                let keys = try await server.publicKeys()
                #expect(keys == [identity.key.publicKey] + history.former.reversed().map(\.receipts))
            }
        }
        let history = try data.identity().history
        let filter = EventFilter(app: TrailEvent.app, activity: "server keys followed")
        let trail = try await store.events(filter, after: nil, limit: 100, maximumBytes: .max).events
        #expect(trail.count == 2)
        for (succession, event) in zip(history.successions, trail) {
            let text = String(decoding: event.event?.data ?? [], as: UTF8.self)
            let key = Hexadecimal.text(succession.successor.receipts)
            #expect(text.contains(#""about":"\#(key)""#) && text.contains("daybook key succession v2"))
        }
    }

    @Test("what auditors did is sealed with the server's own key when it ends, and verified like the rest")
    func trail() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.path)
        let store = try SQLiteEventStore(path: data.databasePath)
        let (tokens, token) = try await auditor(of: data)
        for (run, size) in [(1, 0), (2, 1), (3, 2)] as [(UInt32, UInt64)] {
            let key = run < 3 ? SampleDevice.serverKey : try SigningKey([UInt8](repeating: 8, count: 32))
            let service = try service(store, tokens, key: key, ids: SequentialIds(first: run * 1000))
            try await RunningServer.with(service) { port in
                let archive = RemoteEventArchive(try RemoteServer("http://127.0.0.1:\(port)", token: token))
                let log = try #require(try await archive.verifyLog(since: nil, by: nil, stampedBy: nil))
                #expect(log.problems == [] && log.log.size == size)
                #expect(log.remarks.count == (run < 3 ? 0 : 1), "\(log.remarks)")
                // Somebody reads events, which is recorded.
                try await archive.events(EventFilter()) { _ in }
            }
        }
        let entries = try await store.logEntries(from: 0, limit: 10)
        #expect(entries.count == 3)
        let isOfTrail = entries.allSatisfy { $0.owner == TrailEvent.owner && $0.seal.count > 0 }
        #expect(isOfTrail)
    }

    @Test(
        "whatever somebody changes in the log's tables, or of the partitions that are listed, is found",
        arguments: [
            "DELETE FROM PartitionLog WHERE position = 1",
            "UPDATE PartitionLog SET received = received + 1 WHERE position = 1",
            "UPDATE PartitionLog SET seal = (SELECT seal FROM PartitionLog WHERE position = 2) WHERE position = 1",
            "UPDATE PartitionLog SET nodes = zeroblob(length(nodes)) WHERE position = 1",
            "UPDATE PartitionLogHead SET frontier = x'0000000000000000'",
            "UPDATE Partition SET seal = NULL, count = 5 WHERE id = '000000000000000700000002'",
            "UPDATE Partition SET seal = NULL WHERE id = '000000000000000700000002'",
            "UPDATE Partition SET received = received + 1 WHERE id = '000000000000000700000002'",
            """
            INSERT INTO EventOwner (id, app, user) VALUES (99, 'ward-app', 'mallory');
            UPDATE Partition SET owner = 99 WHERE id = '000000000000000700000002';
            """,
        ]
    )
    func tampered(sql: String) async throws {
        try await withServer { archive, _, database, _ async throws in
            let kept = try #require(try await archive.verifyLog(since: nil, by: nil, stampedBy: nil)).log
            try await database.write { try $0.execute(sql: sql) }

            let problems: [String]
            do {
                problems = try await archive.verifyLog(since: kept, by: nil, stampedBy: nil)?.problems ?? []
            } catch let error as CommandError {
                problems = [error.description]
            }
            #expect(problems != [])
        }
    }

    @Test("an event whose partition is not shown as it was signed is broken")
    func shown() async throws {
        try await withServer { archive, _, database, devices async throws in
            let place = EventReference.place(devices[1].partition, 1)
            #expect(try await archive.event(place).verdict == .proven)

            try await database.write { try $0.execute(sql: "UPDATE Partition SET received = received + 1") }

            let shown = try await archive.event(place)
            #expect(shown.verdict == .broken)
            #expect(shown.problem?.hasSuffix(": its time of receipt is not the one in the log.") == true)
        }
    }

    @Test("a receipt is held against the events that it was given for")
    func receipts() async throws {
        try await withServer { archive, _, database, devices async throws in
            let root = devices[0].frontier(through: 2).root
            let good = receipt(devices[0].partition, through: 2, root)
            #expect(try await problems(archive, [good]) == [])
            let part = receipt(devices[0].partition, through: 1, devices[0].frontier(through: 1).root)
            #expect(try await problems(archive, [part, good]) == [])

            let other = receipt(devices[1].partition, through: 2, root)
            #expect(
                try await problems(archive, [good, other]) == [
                    "Partition \(devices[1].partition): the server has signed for other events than the first 2."
                ]
            )
            let more = receipt(devices[1].partition, through: 3, root)
            #expect(
                try await problems(archive, [more]) == [
                    "Partition \(devices[1].partition): the server has signed for 3 events, and 2 are there."
                ]
            )
            let gone = SampleDevice(9).partition
            #expect(
                try await problems(archive, [receipt(gone, through: 4, root)]) == [
                    "Partition \(gone): the server has signed for 4 events, and has nothing of it."
                ]
            )
        }
    }

    private func receipt(_ partition: PartitionID, through last: UInt64, _ root: Digest) -> StorageReceipt {
        StorageReceipt(
            app: SampleDevice.owner.app,
            user: SampleDevice.owner.user,
            partition: partition,
            durableThrough: last,
            root: root,
            isSealed: true,
            issued: SampleDevice.received,
            publicKey: [],
            signature: []
        )
    }

    private func problems(_ archive: RemoteEventArchive, _ receipts: [StorageReceipt]) async throws -> [String] {
        var problems: [String] = []
        try await archive.verify(receipts) { verified, _ in problems += verified.problems }
        return problems
    }

    // MARK: - Files

    @Test("the head of a log is kept in a file of its owner, and anything else in it is refused")
    func treeHeadFile() async throws {
        let folder = try TestFolder.made()
        let path = folder.file("head.json")
        #expect(try TreeHeadFile.read(path) == nil)
        let head = TreeHead(
            size: 1,
            root: MerkleHash.empty,
            issued: SampleDevice.received,
            publicKey: [1],
            signature: [2]
        )

        try TreeHeadFile.write(head, to: path)

        #expect(try TreeHeadFile.read(path) == head)
        try Data("x".utf8).write(to: URL(filePath: path))
        #expect(throws: CommandError.self) { try TreeHeadFile.read(path) }
    }

    @Test("a receipt that is torn or forged is reported by its line and left out")
    func receiptLines() throws {
        let folder = try TestFolder.made()
        let path = folder.file("receipts.jsonl")
        let forged = receipt(SampleDevice(1).partition, through: 1, MerkleHash.empty)
        try Data("\n{\"app\":\n".utf8 + EventLine.lines([forged])).write(to: URL(filePath: path))
        var reports: [String] = []

        let receipts = try ReceiptLines.read(path) { reports.append($0) }

        #expect(receipts == [])
        #expect(reports.count == 2)
        #expect(reports.first == "Line 2 of \(path) is no receipt.")
        #expect(reports.last?.hasPrefix("Line 3 of \(path): The signature") == true)
        #expect(throws: CommandError.missingFile("/none")) { try ReceiptLines.read("/none") { _ in } }
    }

    @Test("a tree head needs a server")
    func parsing() throws {
        #expect(throws: (any Error).self) {
            try DaybookCommand.parseAsRoot(["verify", "--files", "x", "--tree-head", "y"])
        }
        let arguments = ["verify", "--server", "http://x", "--token", "t", "--tree-head", "y", "--receipts", "a"]
        let command = try #require(try DaybookCommand.parseAsRoot(arguments + ["--receipts", "b"]) as? VerifyCommand)
        #expect(command.treeHead == "y")
        #expect(command.receipts == ["a", "b"])
    }

    @Test("help names the program that it is help for")
    func help() {
        let alone = VerifyCommand.configuration(named: "daybook-verify", calledAs: "daybook-verify")

        #expect(alone.commandName == "daybook-verify")
        #expect(alone.discussion.contains("\n  daybook-verify --files"))
        #expect(VerifyCommand.configuration.discussion.contains("\n  daybook verify --files"))
    }
}
