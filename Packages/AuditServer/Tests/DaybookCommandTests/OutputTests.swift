import AuditArchives
import AuditModel
import AuditServerTesting
import EventModel
import Testing

@testable import DaybookCommand

@Suite("Output for people and spreadsheets")
struct OutputTests {
    private func line(_ activity: String, data: String? = nil, metadata: [String: String] = [:]) throws -> EventLine {
        var device = SampleDevice()
        device.record(device.event(activity, data: data, metadata: try EventMetadata(metadata)))
        return EventLine(device.stored())
    }

    @Test("a row shows time, id, person, type, activity and the objects, and fits its terminal")
    func row() throws {
        let data = #"{"Patient":{"insertions":[{"_id":"p1"}],"modifications":[],"deletions":[]}}"#
        let table = EventTable(TerminalStyle(isColored: false, width: 130))
        let read = try line("Rounds", data: "{}", metadata: ["userId": "nurse1", "a": "b"])
        #expect(
            table.row(read)
                == "2023-11-14 22:13:20.000  000000000000070100000001  nurse1          read     Rounds              {}\n"
        )
        #expect(
            table.header.hasPrefix(
                "TIME (UTC)               ID                        PERSON          TYPE     ACTIVITY"
            )
        )
        let narrow = EventTable(TerminalStyle(isColored: false, width: 70))
        let long = try line(String(repeating: "Rounds ", count: 20), data: String(repeating: "x", count: 500))
        #expect(narrow.row(long).count <= 71)
        #expect(table.row(long).count <= 131)
        var device = SampleDevice()
        device.record(device.event("Save", event: "write", data: data))
        #expect(EventObject.all(event: "write", data: data).map(\.key) == ["p1"])
        let write = EventLine(device.stored())
        #expect(table.row(write).hasSuffix("Save                Patient p1 inserted\n"))
    }

    @Test("a search that found nothing says in its row what was asked for")
    func emptySearch() throws {
        let data = #"{"type":"Patient","value":[],"where":{"predicate":"name == 'Ann'"}}"#
        let table = EventTable(TerminalStyle(isColored: false, width: 130))

        #expect(
            table.row(try line("Rounds", data: data)).hasSuffix("Rounds              no Patient where name == 'Ann'\n")
        )
    }

    @Test("a damaged event is in the table by its place")
    func damagedRow() {
        let device = SampleDevice()
        let damaged = StoredEvent(
            partition: device.partition,
            sequence: 7,
            owner: nil,
            event: nil,
            leaf: nil,
            received: nil
        )
        #expect(EventTable().row(EventLine(damaged)).hasPrefix("damaged                  /7 "))
    }

    @Test("a long text is cut, and control characters cannot reach the terminal")
    func harmless() throws {
        #expect(PlainText.cut(String(repeating: "x", count: 100), 5) == "xxxx\u{2026}")
        #expect(PlainText.cut("a\u{1B}[31m\nb", 20) == "a\u{FFFD}[31m\u{FFFD}b")
    }
}
