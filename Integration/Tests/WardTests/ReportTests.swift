import Foundation
import Testing
import Ward

@Suite("DemoReport")
struct ReportTests {
    private func report(events: String, verification: String) throws -> DemoReport {
        let folder = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let eventsFile = folder.appending(path: "events.ndjson")
        let verificationFile = folder.appending(path: "verification.ndjson")
        try events.write(to: eventsFile, atomically: true, encoding: .utf8)
        try verification.write(to: verificationFile, atomically: true, encoding: .utf8)
        let client = ClientSummary(
            patients: 1,
            observations: 2,
            scopes: 3,
            recorded: 2,
            persisted: 2,
            uploaded: 2,
            lost: 0,
            partitions: ["ward-62b38b3c10846041166f5deb"]
        )
        return try DemoReport(client: client, events: eventsFile, verification: verificationFile, seconds: 1.23456)
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
