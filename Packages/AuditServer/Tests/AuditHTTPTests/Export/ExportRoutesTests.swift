import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import AuditAccounts
@testable import AuditExport
@testable import AuditFormats
@testable import AuditHTTP
@testable import AuditModel
@testable import AuditVerifying
@testable import SQLiteStore

@Suite("Exports over HTTP")
struct ExportRoutesTests {
    private static func server(
        _ folder: TestFolder,
        limits: ExportLimits = ExportLimits(),
        apps: [String: AppSettings] = [:]
    ) async throws -> TestServer {
        let server = try await TestServer(
            store: SQLiteEventStore(path: folder.file("db")),
            configuration: ServerConfiguration(apps: apps, limits: .forPolling, exports: limits),
            exports: ExportFolder(folder.file("exports"))
        )
        let (device, seal) = try SampleExport.device()
        _ = try await server.store.accept(device.upload(1...device.events.count, seal: seal))
        return server
    }

    @Test("an auditor asks for an export, sees it being made, and fetches files whose proofs hold")
    func whole() async throws {
        let folder = try TestFolder.made()
        let server = try await Self.server(folder)
        let headers = try await server.headers(.auditor)
        try await server.run { client in
            let asked = try await client.post(
                "/api/v1/exports?person=ada&metadata.note=x",
                #"{"formats":["csv","jsonl","fhir","ocsf"],"reason":"an incident"}"#,
                as: headers
            )
            #expect(asked.status == .accepted)
            let begun: ExportStatus = try asked.decoded()
            #expect(begun.filter == ["person": "ada", "metadata.note": "x"])
            #expect(asked.headers[.location] == "/api/v1/exports/\(begun.id)")
            #expect(try await client.finishedExport(begun.id, as: headers).progress.events == 0)

            let second: ExportStatus =
                try await client.post("/api/v1/exports?person=ada", #"{"formats":["jsonl","csv"]}"#, as: headers)
                .decoded()
            let done = try await client.finishedExport(second.id, as: headers)
            #expect(done.state == "done")
            #expect(done.progress.events == 2)
            #expect(
                done.files.map(\.name) == [
                    "events.csv", "events.jsonl", "proofs.jsonl", "cover.html", "manifest.json", "signature.json",
                ]
            )
            let copy = folder.file("copy")
            try PrivateFile.makeFolder(copy)
            for file in done.files {
                let answer = try await client.get("/api/v1/exports/\(second.id)/files/\(file.name)", as: headers)
                #expect(answer.status == .ok)
                #expect(answer.headers[.contentDisposition] == "attachment; filename=\"\(file.name)\"")
                try Data(answer.body.readableBytesView).write(to: URL(filePath: "\(copy)/\(file.name)"))
            }
            var verification = ExportVerification(folder: copy, key: server.key.exportKey.publicKey)
            try verification.run()
            #expect(verification.problems == [])
            #expect(verification.events == 2)
            let list: [ExportStatus] = try await client.get("/api/v1/exports", as: headers).decoded()
            #expect(list.map(\.id) == [second.id, begun.id])
        }
    }

    @Test("an export holds no masked value in any form, proves where these events lie, and nobody selects by one")
    func masked() async throws {
        let folder = try TestFolder.made()
        let fields = try [MaskedField("Patient.name"), MaskedField("metadata:userId")]
        let server = try await Self.server(
            folder,
            apps: [SampleDevice.owner.app: AppSettings(mask: EventMask(fields))]
        )
        let headers = try await server.headers(.reviewer)
        try await server.run { client in
            let formats = #"{"formats":["csv","jsonl","fhir","ocsf"]}"#
            let refused = try await client.post("/api/v1/exports?metadata.userId=ada", formats, as: headers)
            #expect(refused.status == .badRequest)

            let answer = try await client.post("/api/v1/exports", formats, as: headers)
            try #require(answer.status == .accepted || answer.status == .ok, "\(String(buffer: answer.body))")
            let begun: ExportStatus = try answer.decoded()
            let done = try await client.finishedExport(begun.id, as: headers)
            #expect(done.state == "done")
            let copy = folder.file("copy")
            try PrivateFile.makeFolder(copy)
            for file in done.files {
                let answer = try await client.get("/api/v1/exports/\(begun.id)/files/\(file.name)", as: headers)
                let text = String(buffer: answer.body)
                #expect(!text.contains("Anna"), "\(file.name)")
                #expect(!text.contains("Anne"), "\(file.name)")
                #expect(!text.contains(Data("Anna".utf8).base64EncodedString().prefix(5)), "\(file.name)")
                try Data(answer.body.readableBytesView).write(to: URL(filePath: "\(copy)/\(file.name)"))
            }
            var verification = ExportVerification(folder: copy, key: server.key.exportKey.publicKey)
            try verification.run()
            #expect(verification.problems == [])
            #expect(verification.events == 9)
        }
    }

    @Test(
        "a part of a file is fetched by its range",
        arguments: [
            ("bytes=0-3", 206, 4), ("bytes=5-", 206, -5), ("bytes=-7", 206, 7), ("bytes=9999999-", 416, 0),
            ("bytes=3-1", 200, 0), ("bytes=0-1,4-5", 200, 0), ("lines=1-2", 200, 0),
        ]
    )
    func ranges(header: String, status: Int, count: Int) async throws {
        let folder = try TestFolder.made()
        let server = try await Self.server(folder)
        let headers = try await server.headers(.auditor)
        try await server.run { client in
            let begun: ExportStatus = try await client.post("/api/v1/exports", #"{"formats":["jsonl"]}"#, as: headers)
                .decoded()
            let file = try #require(try await client.finishedExport(begun.id, as: headers).files.first)
            let uri = "/api/v1/exports/\(begun.id)/files/\(file.name)"
            let whole = try await client.get(uri, as: headers).body
            var asking = headers
            asking[.range] = header
            let part = try await client.get(uri, as: asking)

            #expect(part.status.code == status)
            if status == 206 {
                #expect(part.body.readableBytes == (count > 0 ? count : whole.readableBytes + count))
                let isEnd = header == "bytes=-7" || header == "bytes=5-"
                let expected =
                    isEnd
                    ? whole.readableBytesView.suffix(part.body.readableBytes)
                    : whole.readableBytesView.prefix(part.body.readableBytes)
                #expect(Array(part.body.readableBytesView) == Array(expected))
                asking[try #require(HTTPField.Name("If-Range"))] = "\"another\""
                #expect(try await client.get(uri, as: asking).status == .ok)
            }
        }
    }

    @Test("what auditors export and fetch is recorded, with the reason, before it is answered")
    func trail() async throws {
        let folder = try TestFolder.made()
        let server = try await Self.server(folder)
        let headers = try await server.headers(.auditor)
        try await server.run { client in
            let begun: ExportStatus =
                try await client.post("/api/v1/exports?person=ada", #"{"formats":["csv"],"reason":"why"}"#, as: headers)
                .decoded()
            _ = try await client.finishedExport(begun.id, as: headers)
            _ = try await client.get("/api/v1/exports/\(begun.id)/files/events.csv", as: headers)
            _ = try await client.execute(uri: "/api/v1/exports/\(begun.id)", method: .delete, headers: headers)
        }
        let trail = try await server.store
            .events(EventFilter(app: "daybook/auditors"), after: nil, limit: 100, maximumBytes: .max).events
        #expect(trail.map { $0.event?.activity } == ["export", "download export", "delete export"])
        #expect(trail.first?.event?.dataText?.contains(#""reason":"why""#) == true)
        #expect(trail.first?.event?.dataText?.contains("person=ada") == true)
    }

    @Test("an export belongs to the token that asked for it, and to nobody else")
    func owners() async throws {
        let folder = try TestFolder.made()
        let server = try await Self.server(folder)
        let headers = try await server.headers(.auditor)
        let others: [Identity] = [.auditor(apps: ["ward-app"]), .auditor(apps: ["lab"]), .reviewer]
        try await server.run { client in
            let begun: ExportStatus = try await client.post("/api/v1/exports", #"{"formats":["csv"]}"#, as: headers)
                .decoded()
            _ = try await client.finishedExport(begun.id, as: headers)
            for other in others {
                let stranger = try await server.headers(other)
                let list: [ExportStatus] = try await client.get("/api/v1/exports", as: stranger).decoded()
                #expect(list.isEmpty)
                for uri in ["/api/v1/exports/\(begun.id)", "/api/v1/exports/\(begun.id)/files/events.csv"] {
                    #expect(try await client.get(uri, as: stranger).status == .notFound)
                }
                let removed = try await client.execute(
                    uri: "/api/v1/exports/\(begun.id)",
                    method: .delete,
                    headers: stranger
                )
                #expect(removed.status == .notFound)
            }
            let lab: ExportStatus =
                try await client.post(
                    "/api/v1/exports",
                    #"{"formats":["csv"]}"#,
                    as: try await server.headers(.auditor(apps: ["lab"]))
                )
                .decoded()
            let done = try await client.finishedExport(lab.id, as: try await server.headers(.auditor(apps: ["lab"])))
            #expect(done.state == "done")
            #expect(done.progress.events == 0 && done.progress.total == 0)
        }
    }

    @Test(
        "a malformed request is refused",
        arguments: [
            ("", #"{"formats":[]}"#), ("", #"{"formats":["pdf"]}"#), ("", #"{"formats":["csv","csv"]}"#), ("", "{}"),
            ("?nonsense=1", #"{"formats":["csv"]}"#), ("?limit=1", #"{"formats":["csv"]}"#),
            ("?since=yesterday", #"{"formats":["csv"]}"#),
            ("", #"{"formats":["csv"],"reason":"\#(String(repeating: "a", count: 1001))"}"#),
        ]
    )
    func malformed(query: String, body: String) async throws {
        let folder = try TestFolder.made()
        let server = try await Self.server(folder)
        let headers = try await server.headers(.auditor)
        try await server.run { client in
            let answer = try await client.post("/api/v1/exports\(query)", body, as: headers)
            #expect(answer.status == .badRequest)
        }
    }

    @Test("a server without a folder for exports says so")
    func noFolder() async throws {
        let server = try await TestServer()
        let headers = try await server.headers(.auditor)
        try await server.run { client in
            let answer = try await client.get("/api/v1/exports", as: headers)
            #expect(answer.status == .badRequest)
        }
    }

    @Test("there are no more exports, and no more bytes of them, than the limits say, and each goes after its time")
    func bounds() async throws {
        let folder = try TestFolder.made()
        let server = try await Self.server(folder, limits: ExportLimits(jobs: 2, bytes: 10_000, hours: 1))
        let headers = try await server.headers(.auditor)
        try await server.run { client in
            let body = #"{"formats":["csv"]}"#
            let large: ExportStatus = try await client.post("/api/v1/exports", body, as: headers).decoded()
            let failed = try await client.finishedExport(large.id, as: headers)
            #expect(failed.state == "failed")
            #expect(failed.problem?.contains("more than 10000 bytes") == true)
            let small: ExportStatus = try await client.post("/api/v1/exports?activity=Plain", body, as: headers)
                .decoded()
            #expect(try await client.finishedExport(small.id, as: headers).state == "done")
            #expect(try await client.post("/api/v1/exports", body, as: headers).status == .badRequest)

            server.clock.advance(microseconds: 3_600_000_000)
            let later = try await server.headers(.auditor)
            let list: [ExportStatus] = try await client.get("/api/v1/exports", as: later).decoded()
            #expect(list.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("exports")).isEmpty)
        }
    }

    @Test("what is finished survives a new start of the server, and what is not is interrupted and leaves no file")
    func restart() async throws {
        let folder = try TestFolder.made()
        let server = try await Self.server(folder)
        let headers = try await server.headers(.auditor)
        let author = ExportManifest.Author(role: "auditor", token: nil, apps: nil)
        let exports = try ExportFolder(folder.file("exports"))
        let unfinished = ExportJob(
            id: "0000000000000000000000ff",
            author: author,
            formats: [.csv],
            filter: [:],
            reason: nil,
            created: server.clock.now().wall,
            expires: EventInstant(microseconds: .max),
            state: .running
        )
        try exports.begin(unfinished)
        try Data("half".utf8).write(to: URL(filePath: "\(exports.files(of: unfinished.id))/events.csv"))
        try PrivateFile.makeFolder("\(exports.path)/0000000000000000000000fe")
        try await server.run { client in
            let begun: ExportStatus = try await client.post("/api/v1/exports", #"{"formats":["csv"]}"#, as: headers)
                .decoded()
            _ = try await client.finishedExport(begun.id, as: headers)
        }
        try await server.run { client in
            let list: [ExportStatus] = try await client.get("/api/v1/exports", as: headers).decoded()
            #expect(list.map(\.state).sorted() == ["done", "interrupted"])
            let done = try #require(list.first { $0.state == "done" })
            let kept = try FileDigest("\(exports.files(of: done.id))/events.csv")
            #expect(kept.sha256 == done.files.first?.sha256)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: exports.files(of: unfinished.id)).isEmpty)
        #expect(!PrivateFile.isFolder("\(exports.path)/0000000000000000000000fe"))
    }
}
