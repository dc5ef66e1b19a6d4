import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AuditAccounts
@testable import AuditAdmission
@testable import AuditHTTP
@testable import AuditModel
@testable import AuditReview
@testable import SQLiteStore

@Suite("Names over HTTP")
struct NameRoutesTests {
    private struct Answer: Decodable {
        let names: [FoundName]
        let people: [DirectoryPerson]
        let isWhole: Bool
        let classes: [String]
        let isCurrent: Bool
    }

    private struct Found: Decodable {
        struct Line: Decodable {
            let objects: [EventObject]
        }
        struct Entry: Decodable {
            let line: Line
        }
        let events: [Line]
    }

    private struct Session: Decodable {
        let events: [Found.Entry]
    }

    private struct Detail: Decodable {
        let objects: [EventObject]
    }

    private static func server() async throws -> (TestServer, SampleDevice) {
        let labels = ClassLabels([ExactText("Patient"): try LabelTemplate("{family}, {given}")])
        let staff = try StaffDirectory([
            DirectoryPerson(id: "ada", name: "Ada Annas", role: "nurse", unit: "Ward 7"),
            DirectoryPerson(id: "bob", name: "Bob Holt"),
        ])
        let server = try await TestServer(
            configuration: ServerConfiguration(apps: [
                "ward-app": AppSettings(labels: labels, staff: staff), "lab": AppSettings(),
            ]),
            index: SearchIndex()
        )
        var device = SampleDevice()
        let anna = #"{"_id":"p1","family":"Müller","given":"Anna"}"#
        device.record(
            device.event("Rounds", data: #"{"type":"Patient","value":[\#(anna),{"_id":"p2","family":"Berg"}]}"#)
        )
        let change = #"{"Patient":{"modifications":[{"newValue":{"family":"Weiß"},"oldValue":\#(anna)}]}}"#
        device.record(device.event("Rounds", event: "write", data: change))
        _ = try await server.store.accept(device.upload(1...2))
        return (server, device)
    }

    @Test(
        "an auditor finds objects by their names, and lists, timelines and events call objects by what they were called then"
    )
    func finding() async throws {
        let (server, device) = try await Self.server()
        let auditor = try await server.headers(.auditor)
        try await server.run { client in
            let answer: Answer = try await client.get("/api/v1/names?text=anna%20mull", as: auditor).decoded()
            #expect(answer.names.map(\.label) == ["Müller, Anna"])
            #expect(answer.names.map(\.events) == [2])
            #expect(answer.isWhole && answer.isCurrent && answer.classes == ["Patient"])
            let own: Answer = try await client.get("/api/v1/names?class=Patient&key=p1", as: auditor).decoded()
            #expect(own.names.map(\.label) == ["Weiß, Anna", "Müller, Anna"])
            let first: Answer = try await client.get("/api/v1/names?text=anna&limit=1", as: auditor).decoded()
            #expect(first.names.count == 1 && !first.isWhole)

            let search: Found = try await client.get("/api/v1/search?order=oldest", as: auditor).decoded()
            #expect(search.events.map { $0.objects.map(\.label) } == [["Müller, Anna", "Berg"], ["Weiß, Anna"]])
            let session: Session = try await client.get("/api/v1/timeline?key=p1", as: auditor).decoded()
            #expect(session.events.map { $0.line.objects.first?.label } == ["Müller, Anna", "Weiß, Anna"])
            let detail: Detail =
                try await client.get("/api/v1/partitions/\(device.partition.value)/events/1", as: auditor).decoded()
            #expect(detail.objects.map(\.label) == ["Müller, Anna", "Berg"])
        }
    }

    @Test("people of the directory are named by their ids, and found by their names")
    func people() async throws {
        let (server, _) = try await Self.server()
        let auditor = try await server.headers(.auditor)
        let other = try await server.headers(.auditor(apps: ["lab"]))
        try await server.run { client throws in
            let known: [DirectoryPerson] = try await client.get("/api/v1/people?id=bob&id=nobody&id=ada", as: auditor)
                .decoded()
            #expect(known.map(\.name) == ["Bob Holt", "Ada Annas"])
            #expect(known.last?.role == "nurse" && known.last?.unit == "Ward 7")
            let found: Answer = try await client.get("/api/v1/names?text=anna", as: auditor).decoded()
            #expect(found.people.map(\.id) == ["ada"] && found.names.count == 2)
            // Who may read another app alone is told nobody of this one.
            let foreign: [DirectoryPerson] = try await client.get("/api/v1/people?id=ada", as: other).decoded()
            #expect(foreign.isEmpty)
            let none: Answer = try await client.get("/api/v1/names?text=anna", as: other).decoded()
            #expect(none.people.isEmpty)
            let tooMany = (0...100).map { "id=\($0)" }.joined(separator: "&")
            for query in ["", tooMany] {
                let refused = try await client.get("/api/v1/people?\(query)", as: auditor)
                #expect(refused.status == .badRequest)
            }
        }
    }

    @Test("each question is in the record of what auditors do before it is answered")
    func trail() async throws {
        let (server, _) = try await Self.server()
        let auditor = try await server.headers(.auditor)
        try await server.run { client in
            let _: Answer = try await client.get("/api/v1/names?text=anna", as: auditor).decoded()
            let trail = try await client.get("/api/v1/search?app=daybook%2Fauditors&activity=find%20names", as: auditor)
            #expect(String(buffer: trail.body).contains("text=anna"))
        }
    }

    @Test(
        "a question that says nothing, or two things, is refused",
        arguments: ["", "?text=", "?text=a&key=b", "?class=Patient", "?key=p1", "?text=a&limit=0", "?text=a&limit=101"]
    )
    func refused(query: String) async throws {
        let (server, _) = try await Self.server()
        let auditor = try await server.headers(.auditor)
        let long = String(repeating: "a", count: 201)
        try await server.run { client throws in
            let refused = try await client.get("/api/v1/names\(query)", as: auditor)
            #expect(refused.status == .badRequest)
            let tooLong = try await client.get("/api/v1/names?text=\(long)", as: auditor)
            #expect(tooLong.status == .badRequest)
        }
    }

    @Test("an auditor of another app finds no name, and is not told which classes have one")
    func isolated() async throws {
        let (server, _) = try await Self.server()
        let other = try await server.headers(.auditor(apps: ["lab"]))
        try await server.run { client in
            for query in ["text=anna", "class=Patient&key=p1"] {
                let answer: Answer = try await client.get("/api/v1/names?\(query)", as: other).decoded()
                #expect(answer.names.isEmpty && answer.classes.isEmpty)
            }
        }
    }
}
