import Foundation
import Testing
import Ward

@Suite("DemoReport")
struct ReportTests {
    private func report(
        events: String,
        verification: String,
        second: ClientSummary? = nil,
        sync: SyncSummary? = nil
    ) throws -> DemoReport {
        let folder = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let eventsFile = folder.appending(path: "events.ndjson")
        let verificationFile = folder.appending(path: "verification.ndjson")
        try events.write(to: eventsFile, atomically: true, encoding: .utf8)
        try verification.write(to: verificationFile, atomically: true, encoding: .utf8)
        let first = Self.counts(2, in: "ward-62b38b3c10846041166f5deb", patients: 1)
        return try DemoReport(
            devices: [first] + (second.map { [$0] } ?? []),
            sync: sync,
            events: eventsFile,
            verification: verificationFile,
            seconds: 1.23456
        )
    }

    private static func counts(_ events: UInt64, in partition: String, patients: Int = 0) -> ClientSummary {
        ClientSummary(
            patients: patients,
            observations: 2 * patients,
            scopes: 3,
            recorded: events,
            persisted: events,
            uploaded: events,
            lost: 0,
            partitions: [partition]
        )
    }

    @Test("only events of this run's partitions count")
    func counts() throws {
        let report = try report(
            events: """
                {"_id":"1","_partition":"ward-62b38b3c10846041166f5deb"}
                {"_id":"2","_partition":"ward-000000000000000000000000"}
                {"_id":"3","_partition":"ward-62b38b3c10846041166f5deb"}

                """,
            verification: """
                {"partition":"ward-62b38b3c10846041166f5deb","events":2,"verified":true}
                {"partition":"ward-000000000000000000000000","events":1,"verified":true}
                """
        )

        #expect(report.isWhole)
        #expect(
            report.line == """
                {"patients": 1, "observations": 2, "scopes": 3, "recorded": 2, "persisted": 2, "uploaded": 2, \
                "stored": 2, "verified": 2, "lost": 0, "seconds": 1.235}
                """
        )
    }

    @Test("two devices are added up, with the changes that both have")
    func devices() throws {
        let events = """
            {"_partition":"ward-62b38b3c10846041166f5deb"}
            {"_partition":"ward-62b38b3c10846041166f5deb"}
            {"_partition":"ward-000000000000000000000000"}
            """
        let verification = """
            {"partition":"ward-62b38b3c10846041166f5deb","events":2,"verified":true}
            {"partition":"ward-000000000000000000000000","events":1,"verified":true}
            """
        let second = Self.counts(1, in: "ward-000000000000000000000000")
        let equal = SyncSummary(changes: 40, objects: 9)
        let report = try report(events: events, verification: verification, second: second, sync: equal)

        #expect(report.isWhole)
        #expect(
            report.line == """
                {"patients": 1, "observations": 2, "scopes": 6, "recorded": 3, "persisted": 3, "uploaded": 3, \
                "stored": 3, "verified": 3, "lost": 0, "synced": 40, "seconds": 1.235}
                """
        )

        let different = SyncSummary(changes: 40, objects: 9, differences: ["Patient p"])
        #expect(try !self.report(events: events, verification: verification, second: second, sync: different).isWhole)
    }

    @Test("a missing or unproven event shows")
    func missing() throws {
        let report = try report(
            events: #"{"_partition":"ward-62b38b3c10846041166f5deb"}"#,
            verification: #"{"partition":"ward-62b38b3c10846041166f5deb","events":1,"verified":false}"#
        )

        #expect(!report.isWhole)
        #expect(report.lost == 1)
        #expect(report.verified == 0)
    }

    @Test("a line that is not what daybook prints is named")
    func unreadable() {
        #expect(throws: DemoReport.Problem.unreadableLine(file: "events.ndjson", line: 1)) {
            try report(events: "oops", verification: "")
        }
    }
}

@Suite("ProgressLine")
struct ProgressLineTests {
    @Test("without a terminal, a plain line is written at every twentieth")
    func plain() {
        var text = ""
        let line = ProgressLine("load", total: 100, isTerminal: false) { text += $0 }
        for done in 1...100 { line.advance(to: done) }
        line.finish("done")

        #expect(text.split(separator: "\n").count == 22)
        #expect(text.hasPrefix("load: 0 of 100\nload: 5 of 100\n"))
        #expect(text.hasSuffix("load: 100 of 100\nload: done\n"))
    }

    @Test("on a terminal, a bar is drawn over itself")
    func terminal() {
        var text = ""
        let line = ProgressLine("load", total: 2, isTerminal: true) { text += $0 }
        line.advance(to: 1)

        #expect(text.hasSuffix("\r\u{1B}[Kload [##########..........] 1 of 2"))
    }
}
