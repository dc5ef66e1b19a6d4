import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import HTTPTypes
import HummingbirdTesting
import LogPublishing
import Logging
import NIOCore
import Synchronization
import Testing

@testable import AuditHTTP
@testable import AuditModel
@testable import AuditReview
@testable import SQLiteStore

@Suite("The check of what is stored, as a service")
struct StoreCheckServiceTests {
    private static let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    private struct Readiness: Decodable {
        let status: String
        let warnings: [String]?
    }

    private struct Answer: Decodable {
        struct Check: Decodable {
            struct Pass: Decodable {
                let began: EventInstant
                let ended: EventInstant?
                let sealedPartitions: UInt64?
            }
            struct Found: Decodable {
                let kind: String
                let partition: PartitionID?
                let problems: [String]
            }
            let isOn: Bool
            let last: Pass?
            let findings: [Found]
            let isCut: Bool
            let remarks: [String]
        }
        let check: Check
    }

    /// Runs the service that publishes the log once.
    private static func publish(_ parts: ServiceParts, of store: any AuditStore) async throws {
        let publisher = try #require(parts.publisher)
        let service = PublishingService(
            publisher: publisher,
            cosigned: try #require(parts.cosigned),
            log: store,
            clock: ManualClock(),
            desk: parts.desk,
            logger: logger,
            pause: { _ in throw CancellationError() }
        )
        try await service.run()
    }

    /// Runs the service that looks at what is stored once.
    private static func watch(_ parts: ServiceParts) async throws {
        try await WatchService(parts, logger: logger) { _ in throw CancellationError() }.run()
    }

    // MARK: - Another database

    @Test("a database that was put back to an older copy is told at once, until the newer one is back")
    func rolledBack() async throws {
        var database = try await EditedDatabase()
        let older = database.folder.file("older")
        try await database.edit("VACUUM INTO '\(older)'")
        var device = SampleDevice(3)
        device.record(["z"])
        _ = try await database.server.store.accept(device.upload(1...1, seal: device.seal()))
        try await Self.publish(database.started(), of: database.server.store)

        var back = database.over(try SQLiteEventStore(path: older))
        let parts = try back.started()
        try await Self.publish(parts, of: back.server.store)
        #expect(parts.desk.sentences.count == 1)
        #expect(parts.desk.sentences.first?.contains("put back to an older copy") == true)
        let warning = "The log is not published: the database is not the one that it was published of"
        #expect(parts.desk.findings.warnings.first?.hasPrefix(warning) == true)
        try await Self.watch(parts)
        #expect(parts.desk.alertDetails.contains { $0.contains("put back to an older copy") })
        try await parts.desk.checkEverything(published: parts.publisher)
        #expect(parts.desk.sentences.contains("The log has 2 partitions, and had 3 when it was published."))
        // One more entry is the same trouble.
        var other = SampleDevice(4)
        other.record(["z"])
        _ = try await back.server.store.accept(other.upload(1...1, seal: other.seal()))
        try await Self.publish(parts, of: back.server.store)
        let count = parts.desk.alertDetails.count
        try await parts.desk.tellPublished()
        #expect(parts.desk.sentences.contains { $0.contains("are not those that were published") })
        #expect(parts.desk.alertDetails.count == count + 1, "another database is another trouble")
        try await parts.desk.checkEverything(published: parts.publisher)
        let rewritten = "The log is not the one that had 3 partitions when it was published."
        #expect(parts.desk.sentences.contains(rewritten))
        parts.desk.keepChecks(isLast: true)

        let repaired = try database.started()
        #expect(repaired.desk.sentences.contains(rewritten))
        try await Self.publish(repaired, of: database.server.store)
        try await repaired.desk.checkEverything(published: repaired.publisher)
        #expect(repaired.desk.sentences == [])
    }

    @Test("a folder of another log is told without its path")
    func foreignFolder() async throws {
        var database = try await EditedDatabase()
        try POSIXFileSystem().makeDirectory(database.folder.file("log"))
        try POSIXFileSystem().replaceFile(at: database.folder.file("log/checkpoint"), with: Array("no note".utf8))

        let parts = try database.started()
        try await Self.publish(parts, of: database.server.store)

        #expect(
            parts.desk.sentences == ["The folder of the published log cannot be used; the server's own log says why."]
        )
    }

    // MARK: - Going on

    @Test("a process goes on where the one before it stopped, in the same pass")
    func resumption() async throws {
        var database = try await EditedDatabase()
        for number: UInt32 in 3...12 {
            var device = SampleDevice(number)
            device.record(["a", "b"])
            _ = try await database.server.store.accept(device.upload(1...2, seal: device.seal()))
        }

        var partitions: UInt64 = 0
        var processes = 0
        var began: EventInstant?
        while processes < 100 {
            let desk = try database.started().desk
            processes += 1
            let restored = desk.findings.page.current
            #expect(processes == 1 || restored?.began == began, "it is the same pass")
            #expect(processes == 1 || restored?.partitions == partitions, "what was done is done")
            // Time goes on, so that another pass would have another beginning.
            database.server.clock.advance(microseconds: 1_000_000)
            let before = desk.check.withLock(\.rounds)
            guard try await desk.verify(8) == before else {
                #expect(desk.findings.page.last?.partitions == 12)
                #expect(desk.findings.page.last?.sealedPartitions == 12)
                #expect(desk.findings.page.last?.events == 25)
                #expect(desk.findings.page.last?.began == began)
                break
            }
            let page = desk.findings.page
            began = page.current?.began
            let current = try #require(page.current)
            #expect(current.partitions >= partitions)
            partitions = current.partitions
            desk.keepChecks(isLast: true)
        }
        #expect((5..<100).contains(processes))
    }

    @Test(
        "what is behind the place where a process stopped is found by the next one, and what is in front by the next pass"
    )
    func editedBetween() async throws {
        var database = try await EditedDatabase()
        let first = try database.started().desk
        // The record and the three events of the first partition.
        try await first.verify(4)
        #expect(first.findings.page.current?.partitions == 1)
        first.keepChecks(isLast: true)
        try await database.edit("UPDATE AuditEvent SET activity = 'Nap'")

        let second = try database.started().desk
        let round = second.check.withLock(\.rounds)
        while try await second.verify(4) == round {}
        #expect(Set(second.findings.page.findings.compactMap(\.subject.partition?.id.low)) == [2])
        while try await second.verify(4) == round + 1 {}
        #expect(Set(second.findings.page.findings.compactMap(\.subject.partition?.id.low)) == [1, 2])
    }

    @Test("a file that cannot be read is told, and replaced when everything was looked at again")
    func damagedFile() async throws {
        var database = try await EditedDatabase()
        try await database.edit("DELETE FROM AuditEvent WHERE rowid = 2")
        let before = try database.started().desk
        try await before.checkEverything()
        let kept = try #require(try PrivateFile.read(database.checkPath, upTo: 1_000_000))

        for damaged in [Array(kept.dropLast(9)), [], Array("{}".utf8), Array(#"{"version":2,"content":{}}"#.utf8)] {
            try PrivateFile.write(damaged, to: database.checkPath)
            let desk = try database.started().desk
            #expect(desk.findings.page.findings == [])
            let remark = try #require(desk.findings.warnings.first)
            #expect(remark.contains("could not be read: they began anew") && !remark.contains("/"))
            try await desk.checkEverything()
            #expect(desk.sentences == before.sentences)
            #expect(desk.findings.page.remarks == [])
            #expect(try CheckFile(database.checkPath).read()?.findings == desk.findings.page.findings)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: database.checkPath)[.posixPermissions]
        #expect(mode as? NSNumber == 0o600)
    }

    @Test("a file that cannot be written is told, and keeps nobody from checking")
    func unwritable() async throws {
        var database = try await EditedDatabase()
        try POSIXFileSystem().makeDirectory(database.checkPath)
        try await database.edit("DELETE FROM AuditEvent WHERE rowid = 2")

        let desk = try database.started().desk
        try await desk.checkEverything()

        #expect(desk.sentences.contains { $0.contains("events 2 to 2 are missing") })
        #expect(desk.findings.warnings.last?.contains("cannot be kept") == true)
    }

    @Test("the watch checks by itself, and keeps how far it is when the server ends")
    func watching() async throws {
        var database = try await EditedDatabase()
        try await database.edit("DELETE FROM AuditEvent WHERE rowid = 2")
        let parts = try database.started()

        try await Self.watch(parts)

        #expect(parts.desk.sentences.contains { $0.contains("the log has 3 events of it, and 2 are there") })
        #expect(!parts.desk.alertDetails.isEmpty)
        #expect(try CheckFile(database.checkPath).read()?.findings == parts.desk.findings.page.findings)
    }

    @Test("a partition that grows raises one alert, also when it is the one that alerts are written to")
    func growing() async throws {
        var database = try await EditedDatabase()
        let parts = try database.started()
        try await parts.trail.record("look", about: nil, because: nil, by: .server)
        try await database.edit("UPDATE AuditEvent SET activity = 'nothing' WHERE activity = 'look'")

        for _ in 1...3 { try await parts.desk.checkEverything() }

        #expect(parts.desk.alertDetails.count == 1)
        #expect(parts.desk.alertDetails.first?.contains("event 1 is not what was received") == true)
    }

    // MARK: - Routes

    @Test("the routes say what is wrong to those who may know, and supervisors that something is")
    func routes() async throws {
        var database = try await EditedDatabase(AlertSettings(verifiedEventsPerSecond: 0))
        let desk = try database.started().desk
        try await desk.checkEverything()
        let (auditor, bounded) = (
            try await database.server.headers(.auditor), try await database.server.headers(.auditor(apps: ["other"]))
        )
        func answers(_ database: EditedDatabase) async throws -> (Readiness, Answer.Check, Answer.Check, String) {
            let found = Captured()
            try await database.server.run { client in
                let ready = try await client.get("/ready").decoded(Readiness.self)
                let mine = try await client.get("/api/v1/completeness/log", as: auditor).decoded(Answer.self).check
                let other = try await client.get("/api/v1/completeness/log", as: bounded).decoded(Answer.self).check
                let metrics = String(buffer: try await client.get("/api/v1/metrics", as: auditor).body)
                await found.set((ready, mine, other, metrics))
            }
            return try #require(await found.value)
        }

        desk.keepChecks(isLast: true)
        _ = try database.started()
        let well = try await answers(database)
        #expect(well.0.status == "ready" && well.0.warnings == nil)
        #expect(!well.1.isOn && well.1.findings.isEmpty && !well.1.isCut && well.1.remarks == [])
        #expect(well.1.last?.sealedPartitions == 2 && well.1.last?.ended != nil)
        #expect(well.2.last?.sealedPartitions == nil && well.2.last?.ended != nil)
        #expect(well.3.contains("\ndaybook_findings 0\n"))

        try await database.edit("UPDATE AuditEvent SET userId = 'eve' WHERE userId = 'ada'")
        try await database.edit("UPDATE PartitionLog SET received = received + 1 WHERE position = 1")
        try await desk.checkEverything()
        desk.keepChecks(isLast: true)
        _ = try database.started()
        let wrong = try await answers(database)
        #expect(wrong.0.status == "ready")
        #expect(
            wrong.0.warnings == [
                "Of 2 partitions, what is stored is not what was received.",
                "The log of sealed partitions is not as it was written.",
                "The console's page Completeness says what is wrong.",
            ]
        )
        #expect(Set(wrong.1.findings.map(\.kind)) == ["events", "holding", "log"])
        #expect(wrong.1.findings.contains { $0.partition == AlteredSample.device.partition })
        #expect(wrong.2.findings.isEmpty, "of another app, and of the whole log")
        #expect(wrong.3.contains("\ndaybook_findings \(wrong.1.findings.count)\n"))
    }

    /// What a closure found out.
    private actor Captured {
        private(set) var value: (Readiness, Answer.Check, Answer.Check, String)?

        func set(_ value: (Readiness, Answer.Check, Answer.Check, String)) { self.value = value }
    }
}
