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

    @Test(
        "a field of a spreadsheet is quoted by RFC 4180 and never a formula",
        arguments: [
            ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"x\"", "\"say \"\"x\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("=1+1", "'=1+1"), ("@SUM(A1,A2)", "\"'@SUM(A1,A2)\""),
        ]
    )
    func csv(text: String, field: String) throws {
        let row = EventCSV(columns: ["shift"]).row(try line(text, metadata: ["shift": text]))

        #expect(
            row == "000000000000070100000001,ward-000000000000000700000001,\(field),read,,"
                + "2023-11-14T22:13:20.000001Z,1,\(field)\r\n"
        )
    }

    @Test("the first line of a spreadsheet names the columns")
    func csvHeader() {
        #expect(
            EventCSV(columns: ["shift"]).header
                == "_id,_partition,activity,event,data,timestamp,daybook.sequence,shift\r\n"
        )
    }
}
