import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import Testing

@testable import AuditFormats
@testable import AuditModel

@Suite("Formats of exports")
struct ExportFormatTests {
    private func stored(_ activity: String, data: String? = nil, metadata: [String: String] = [:]) throws -> StoredEvent
    {
        var device = SampleDevice()
        device.record(device.event(activity, data: data, metadata: try EventMetadata(metadata)))
        return device.stored()
    }

    /// Every event of the sample device, as the store gives it back.
    private func everyKind() throws -> [StoredEvent] {
        let (device, _) = try SampleExport.device()
        return device.events.enumerated()
            .map { index, event in
                StoredEvent(
                    partition: device.partition,
                    sequence: UInt64(index + 1),
                    owner: SampleDevice.owner,
                    event: event,
                    leaf: device.frontier(through: 1).root,
                    received: SampleDevice.received
                )
            }
    }

    private func object(_ format: ExportFormat, _ stored: StoredEvent) throws -> [String: Any] {
        let line = try format.record(stored, [])
        return try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    }

    @Test("field 3.2, 17: what an event did is told in the actions of FHIR, a query as E and a read as R")
    func fhirActions() throws {
        let actions = try everyKind().map { try object(.fhir, $0)["action"] as? String }
        #expect(actions == ["R", "E", "E", "C", "U", "D", "U", "E", "E"])
    }

    @Test("field 3.2, 18: what an event did is told in the activities of OCSF, whose type is class and activity")
    func ocsfActivities() throws {
        let events = try everyKind().map { try object(.ocsf, $0) }
        let activities = events.map { $0["activity_id"] as? Int }
        #expect(activities == [1, 4, 4, 6, 2, 7, 5, 99, 99])
        for event in events {
            let activity = try #require(event["activity_id"] as? Int)
            #expect(event["type_uid"] as? Int == 600_500 + activity)
            #expect(event["time"] as? Int == 1_700_000_000_000)
            #expect(event["actor"] as? [String: Any] != nil)
        }
        #expect(events[8]["activity_name"] as? String == "Plain")
    }

    @Test("a FHIR event names person, reason, objects and its place in the log")
    func fhirContent() throws {
        let event = try object(.fhir, everyKind()[0])
        let agent = try #require((event["agent"] as? [[String: Any]])?.first)
        let purpose = try #require((event["purposeOfEvent"] as? [[String: Any]])?.first)
        let entities = try #require(event["entity"] as? [[String: Any]])
        let details = try #require(entities.last?["detail"] as? [[String: Any]])

        #expect(agent["name"] as? String == "ada")
        #expect(agent["requestor"] as? Bool == true)
        #expect(purpose["text"] as? String == "emergency")
        #expect(entities.count == 2)
        let what = try #require(entities[0]["what"] as? [String: Any])
        #expect((what["identifier"] as? [String: String]) == ["system": "urn:daybook:class:Patient", "value": "p1"])
        #expect(details.contains { $0["type"] as? String == "leafHash" })
        let data = details.first { $0["type"] as? String == "data" }?["valueBase64Binary"] as? String
        let payload = try #require(data.flatMap { Data(base64Encoded: $0) })
        #expect(String(decoding: payload, as: UTF8.self).contains("Anna"))
    }

    @Test("a damaged event is exported with what is still known of it")
    func damaged() throws {
        let stored = StoredEvent(
            partition: SampleDevice().partition,
            sequence: 3,
            owner: SampleDevice.owner,
            event: nil,
            leaf: nil,
            received: SampleDevice.received
        )
        #expect(try object(.fhir, stored)["outcome"] as? String == "12")
        #expect(try object(.ocsf, stored)["type_uid"] as? Int == 600_500)
        #expect(try object(.jsonl, stored)["_id"] is NSNull)
        let row = String(decoding: try ExportFormat.csv.record(stored, ["a"]), as: UTF8.self)
        #expect(
            row
                == ",ward-000000000000000700000001,,,,,ward-app,\(SampleDevice.owner.user),damaged,\(SampleDevice.received),3,,\r\n"
        )
    }

    @Test("JSON is written in one way, and every text comes back as it was")
    func json() throws {
        let tree: JSONTree = ["b": [1, true, "x"], "a": .text("\"\\\n\r\t\u{1}\u{7F}\u{2028}é👩‍👩‍👧"), "c": .absent]
        let line = tree.line
        #expect(String(decoding: line, as: UTF8.self).hasPrefix(#"{"a":"\"\\\n\r\t\u0001"#))
        let read = try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        #expect(read["a"] as? String == "\"\\\n\r\t\u{1}\u{7F}\u{2028}é👩‍👩‍👧")
        #expect(read.count == 2)
    }

    @Test(
        "a field of a spreadsheet is quoted by RFC 4180 and never a formula",
        arguments: [
            ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"x\"", "\"say \"\"x\"\"\""),
            ("two\nlines", "\"two\nlines\""), ("\"\u{301}", "\"\"\"\u{301}\""),
            ("=1+1", "'=1+1"), ("@SUM(A1,A2)", "\"'@SUM(A1,A2)\""), ("-2", "'-2"), ("\u{FF1D}1", "'\u{FF1D}1"),
            (" =1", "' =1"), ("\u{A0}=1", "'\u{A0}=1"), ("\u{B}=1", "'\u{B}=1"), ("\u{FEFF} @x", "'\u{FEFF} @x"),
            ("\u{200B}\u{3000}+1", "'\u{200B}\u{3000}+1"), ("\u{202E}-1", "'\u{202E}-1"), (" \t=1", "' \t=1"),
            (" plain = 1", " plain = 1"), ("\u{A0}", "\u{A0}"),
        ]
    )
    func csv(text: String, field: String) throws {
        let row = EventCSV(columns: ["shift"]).row(try stored(text, metadata: ["shift": text]))
        let expected =
            "000000000000070100000001,ward-000000000000000700000001,\(field),read,,"
            + "2023-11-14T22:13:20.000001Z,,,complete,,1,,\(field)\r\n"
        #expect(row == Array(expected.utf8))
    }

    @Test("the first line of a spreadsheet names the columns")
    func csvHeader() {
        let header = String(decoding: EventCSV(columns: ["shift"]).header, as: UTF8.self)
        #expect(header.hasPrefix("_id,_partition,activity,event,data,timestamp,daybook.app,"))
        #expect(header.hasSuffix("daybook.sequence,daybook.leafHash,shift\r\n"))
    }
}
