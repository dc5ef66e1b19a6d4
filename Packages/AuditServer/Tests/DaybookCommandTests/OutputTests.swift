import AuditServer
import AuditServerTesting
import EventModel
import Testing

@testable import DaybookCommand

@Suite("Output for people and spreadsheets")
struct OutputTests {
    private func line(_ activity: String, data: String? = nil, metadata: [String: String] = [:]) throws -> EventLine {
        var device = SampleDevice()
        device.record(device.event(activity, data: data, metadata: try EventMetadata(metadata)))
        return EventLine(
            StoredEvent(
                partition: device.partition,
                sequence: 1,
                owner: nil,
                event: device.events[0],
                leaf: nil,
                received: nil
            )
        )
    }

    @Test("a row shows time, activity, type, number and data")
    func row() throws {
        #expect(
            EventTable.row(try line("Rounds", data: "{}"))
                == "2023-11-14T22:13:20.000001Z  Rounds                    read          1         {}\n"
        )
    }

    @Test("a long text is cut, and control characters cannot reach the terminal")
    func harmless() throws {
        #expect(EventTable.cut(String(repeating: "x", count: 100), 5) == "xxxx\u{2026}")
        #expect(EventTable.cut("a\u{1B}[31m\nb", 20) == "a\u{FFFD}[31m\u{FFFD}b")
    }
}
