import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import AuditExport
@testable import AuditHTTP
@testable import AuditModel
@testable import SQLiteStore

@Suite("Exports that nobody wants any more")
struct ExportCancellationTests {
    private static let form = #"{"formats":["csv","jsonl"]}"#

    /// A server with three partitions, which makes one export at a time and stops in the middle of each.
    private static func server(_ folder: TestFolder) async throws -> (TestServer, GatedEventStore) {
        let store = try SQLiteEventStore(path: folder.file("db"))
        for number in 1...3 as ClosedRange<UInt32> {
            let (device, seal) = try SampleExport.device(number)
            _ = try await store.accept(device.upload(1...device.events.count, seal: seal))
        }
        let gated = GatedEventStore(store)
        let server = try await TestServer(
            store: gated,
            configuration: ServerConfiguration(limits: .forPolling),
            exports: ExportFolder(folder.file("exports"))
        )
        return (server, gated)
    }

    private static func export(
        _ client: any TestClientProtocol,
        _ headers: HTTPFields,
        _ query: String = ""
    ) async throws -> String {
        try await client.post("/api/v1/exports\(query)", form, as: headers).decoded(ExportStatus.self).id
    }

    private static func files(_ folder: TestFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("exports")).sorted()
    }

    @Test("an export that is deleted while it is made ends, leaves no file, and the next one has its place")
    func running() async throws {
        let folder = try TestFolder.made()
        let (server, store) = try await Self.server(folder)
        let headers = try await server.headers(.auditor)
        try await server.run { client in
            let unwanted = try await Self.export(client, headers)
            await store.waitForArrival()
            let before = try await client.export(unwanted, as: headers)
            #expect(before.state == "running")
            let next = try await Self.export(client, headers, "?partition=\(SampleDevice(2).partition.value)")

            let deleted = try await client.execute(
                uri: "/api/v1/exports/\(unwanted)",
                method: .delete,
                headers: headers
            )

            #expect(deleted.status == .noContent)
            #expect(try await client.get("/api/v1/exports/\(unwanted)", as: headers).status == .notFound)
            let list: [ExportStatus] = try await client.get("/api/v1/exports", as: headers).decoded()
            #expect(list.map(\.id) == [next])
            #expect(list.map(\.state) == ["waiting"])
            store.open()
            // Who comes next is the other export: the first one has left the rest of its partitions unread.
            await store.waitForArrival()
            #expect(try Self.files(folder) == [next])
            let status = try await client.export(next, as: headers)
            #expect(status.state == "running")
            store.open()
            #expect(try await client.finishedExport(next, as: headers).state == "done")
            let file = try await client.get("/api/v1/exports/\(next)/files/events.csv", as: headers)
            #expect(file.status == .ok)
        }
        let trail = try await server.store
            .events(EventFilter(app: TrailEvent.app), after: nil, limit: 100, maximumBytes: .max).events
        #expect(trail.map { $0.event?.activity }.prefix(3) == ["export", "export", "delete export"])
    }

    @Test("an export that is deleted while it waits is never begun")
    func waiting() async throws {
        let folder = try TestFolder.made()
        let (server, store) = try await Self.server(folder)
        let headers = try await server.headers(.auditor)
        try await server.run { client in
            let first = try await Self.export(client, headers, "?partition=\(SampleDevice(1).partition.value)")
            await store.waitForArrival()
            let unwanted = try await Self.export(client, headers)
            let last = try await Self.export(client, headers, "?partition=\(SampleDevice(3).partition.value)")
            let uri = "/api/v1/exports/\(unwanted)"
            #expect(try await client.execute(uri: uri, method: .delete, headers: headers).status == .noContent)
            #expect(try Self.files(folder) == [first, last].sorted())
            store.open()
            await store.waitForArrival()
            let states: [ExportStatus] = try await client.get("/api/v1/exports", as: headers).decoded()
            #expect(states.map(\.state) == ["running", "done"])
            #expect(states.map(\.id) == [last, first])
        }
    }

    @Test("an export that the end of the server cuts off says so at the next start, and has no file")
    func end() async throws {
        let folder = try TestFolder.made()
        let (server, store) = try await Self.server(folder)
        let headers = try await server.headers(.auditor)
        try await server.run { client in
            _ = try await Self.export(client, headers)
            await store.waitForArrival()
        }
        try await server.run { client in
            let list: [ExportStatus] = try await client.get("/api/v1/exports", as: headers).decoded()
            #expect(list.map(\.state) == ["interrupted"])
            #expect(list.first?.problem == "The server ended before the export was made; ask for it again.")
            let id = try #require(list.first?.id)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("exports/\(id)/files")).isEmpty)
        }
    }
}
