import AuditAccounts
import AuditArchives
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventPartitions
import EventProofs
import Foundation
import GRDB
import Logging
import SQLiteStore
import Testing

@testable import DaybookCommand

@Suite("Archives of events")
struct ArchiveTests {
    private func event(_ number: UInt32) throws -> AuditEvent {
        AuditEvent(
            id: ObjectId(high: 1, low: number),
            clock: ClockReading(
                wall: EventInstant(microseconds: 1_700_000_000_000_000 + Int64(number)),
                monotonicNanoseconds: 1,
                boot: .unknown
            ),
            activity: "activity \(number)",
            metadata: try EventMetadata(["shift": "early"])
        )
    }

    /// Reads everything that an archive has, as text that two archives can be compared by.
    private func contents(_ archive: any EventArchive, _ filter: EventFilter = EventFilter()) async throws -> [String] {
        var lines: [String] = []
        try await archive.events(filter) { line in lines.append("\(line.activity ?? "") \(line.details.sequence)") }
        return lines
    }

    private func verified(_ archive: any EventArchive) async throws -> [VerifiedPartition] {
        var all: [VerifiedPartition] = []
        try await archive.verify([]) { verified, _ in all.append(verified) }
        return all
    }

    @Test("files are listed, filtered and verified without a server, also while they are written")
    func files() async throws {
        let folder = try TestFolder.made()
        let files = try PartitionedEventFiles(
            EventFolder(root: folder.path, appID: "local", userID: "local", prefix: "ward")
        )
        _ = try files.append([event(1), event(2)])
        _ = try files.append([event(3)])

        let archive = try FileEventArchive(folder.path, workingDirectory: "/")
        let partitions = try await archive.partitions()

        #expect(try await contents(archive) == ["activity 1 1", "activity 2 2", "activity 3 3"])
        #expect(try await contents(archive, EventFilter(activity: "activity 2")) == ["activity 2 2"])
        #expect(partitions.map(\.count) == [3])
        #expect(try await verified(archive).map(\.events) == [3])
        #expect(try await verified(archive).map(\.problems) == [[]])
        #expect(try await archive.schemas().map(\.metadataColumns) == [["shift"]])
        try files.close()
    }

    @Test("what lies among event files and is not ours is named, and nothing else is")
    func strays() async throws {
        let folder = try TestFolder.made()
        let place = try EventFolder(root: folder.path, appID: "local", userID: "local", prefix: "ward")
        let files = try PartitionedEventFiles(place)
        _ = try files.append([event(1)])
        try Data("note".utf8).write(to: URL(fileURLWithPath: "\(place.path)/5f0000000000000000000001.realm"))
        try Data("realm".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/default.realm"))

        let archive = try FileEventArchive(folder.path, workingDirectory: "/")
        let strays = try await archive.strays()

        #expect(strays.count == 1)
        #expect(strays.first?.contains("5f0000000000000000000001.realm, a file of Realm's own event recording") == true)
        #expect(try await archive.partitions().map(\.count) == [1])
        try files.close()
    }

    @Test("a damaged file is verified as damaged; its other events are listed before the error")
    func damagedFile() async throws {
        let folder = try TestFolder.made()
        let files = try PartitionedEventFiles(
            EventFolder(root: folder.path, appID: "local", userID: "local", prefix: "ward")
        )
        for number in 1...3 { _ = try files.append([event(UInt32(number))]) }
        try files.close()
        let path = try #require(try PartitionFiles.find(below: folder.path).first)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = try #require(bytes.range(of: Data("activity 2".utf8)))
        bytes[place.lowerBound] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))

        let archive = try FileEventArchive(folder.path, workingDirectory: "/")
        var listed: [UInt64] = []

        #expect(try await verified(archive).map(\.verified) == [false])
        await #expect(throws: PartitionError.self) {
            try await archive.events(EventFilter()) { listed.append($0.details.sequence) }
        }
        #expect(listed == [1, 3])
    }

    @Test(
        "encrypted files are read with the key; without it they are named politely, and the plain ones beside them listed"
    )
    func encryptedFiles() async throws {
        let folder = try TestFolder.made()
        let place = try EventFolder(root: folder.path, appID: "local", userID: "local", prefix: "ward")
        let key = EventEncryptionKey.random()
        let plain = try PartitionedEventFiles(place)
        _ = try plain.append([event(1)])
        try plain.close()
        let secret = try PartitionedEventFiles(place, encryptionKey: key)
        _ = try secret.append([event(2), event(3)])
        try secret.close()

        let reader = try FileEventArchive(folder.path, workingDirectory: "/", encryptionKey: key)
        #expect(try await contents(reader) == ["activity 1 1", "activity 2 1", "activity 3 2"])
        #expect(try await verified(reader).map(\.problems) == [[], []])

        for wrong in [nil, EventEncryptionKey.random()] {
            let stranger = try FileEventArchive(folder.path, workingDirectory: "/", encryptionKey: wrong)
            var listed: [String] = []
            await #expect(throws: PartitionError.self) {
                try await stranger.events(EventFilter()) { listed.append($0.activity ?? "") }
            }
            #expect(listed == ["activity 1"])
            #expect(try await stranger.partitions().map(\.count) == [1, 2])
            let problems = try await verified(stranger).map(\.problems)
            #expect(problems.first == [])
            #expect(problems.last?.count == 1)
            #expect(problems.last?.first?.contains("are encrypted") == true)
        }
    }

    @Test("a server is listed and verified over HTTP, and a change of its database is found")
    func server() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.path)
        let store = try SQLiteEventStore(path: data.databasePath)
        let tokens = try await data.tokenIssuer(clock: SystemClock())
        var device = SampleDevice(prefix: "ward 5 \u{E9}%&+")
        device.record((1...25).map { "a+b & \($0)" })
        _ = try await store.accept(device.upload(1...25, seal: device.seal()))
        let token = try await tokens.issue(.auditor, for: .access)
        let service = AuditService(
            configuration: ServerConfiguration(),
            store: store,
            index: try SearchIndex(),
            accounts: InMemoryAccountStore(),
            tokens: tokens,
            key: SampleDevice.serverKey
        )
        let partition = device.partition

        try await RunningServer.with(service) { port in
            let archive = RemoteEventArchive(try RemoteServer("http://127.0.0.1:\(port)", token: token))
            let partitions = try await archive.partitions()
            let one = try await contents(archive, EventFilter(partition: partition, activity: "a+b & 7"))

            #expect(try await contents(archive).count == 25)
            #expect(one == ["a+b & 7 7"])
            #expect(partitions.map(\.partition) == [partition.value])
            let intact = VerifiedPartition(partition: partition, events: 25, losses: [], problems: [])
            // What the auditor did so far is in a partition of the server's own, which verifies as well.
            let found = try await verified(archive)
            #expect(found.filter { $0.partition == partition.value } == [intact])
            #expect(found.flatMap(\.problems) == [])
            let stranger = RemoteEventArchive(try RemoteServer("http://127.0.0.1:\(port)", token: "x"))
            await #expect(throws: CommandError.self) { try await stranger.partitions() }

            try await DatabaseQueue.beside(data.databasePath)
                .write { try $0.execute(sql: "UPDATE AuditEvent SET activity = 'x' WHERE daybook_sequence = 7") }
            let problems = try await verified(archive).flatMap(\.problems)
            #expect(
                problems.first == "Partition \(partition): event 7 is not what was received: its leaf hash differs."
            )
        }
    }
}
