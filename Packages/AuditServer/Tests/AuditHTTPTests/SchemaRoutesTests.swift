import AuditAccounts
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("Schemas over HTTP")
struct SchemaRoutesTests {
    private let lab = EventOwner(app: "lab", user: "0000000000000000000000bb")

    private func device(_ number: UInt32 = 1, _ keys: String...) throws -> SampleDevice {
        var device = SampleDevice(number)
        let metadata = Dictionary(keys.map { ($0, "x") }, uniquingKeysWith: { first, _ in first })
        device.record(device.event("a", metadata: try EventMetadata(metadata)))
        return device
    }

    /// Two apps in production, one of which is still being developed.
    private func production() async throws -> TestServer {
        try await TestServer(
            configuration: ServerConfiguration(
                isDevelopmentMode: false,
                apps: [
                    "ward-app": AppSettings(metadataColumns: ["userId"]), "lab": AppSettings(isDevelopmentMode: true),
                    "empty": AppSettings(),
                ]
            )
        )
    }

    @Test("Development Mode creates each app's collection and extends it from what arrives")
    func developmentMode() async throws {
        let server = try await TestServer()
        let (first, second) = (try device(1, "shift"), try device(2, "sample"))
        let ward = try await server.headers(.uploader(SampleDevice.owner))
        let lab = try await server.headers(.uploader(lab))
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            #expect(try await client.get("/api/v1/schema", as: auditor).decoded([EventSchema].self) == [])
            #expect(try await client.upload(first.stretch(1...1), as: ward).status == .ok)
            #expect(try await client.upload(second.stretch(1...1), as: lab).status == .ok)
            let schemas = try await client.get("/api/v1/schema", as: auditor).decoded([EventSchema].self)
            let one = try await client.get("/api/v1/apps/ward-app/schema", as: auditor).decoded(EventSchema.self)

            #expect(schemas.map(\.app) == ["lab", "ward-app"])
            #expect(schemas.map(\.metadataColumns) == [["sample"], ["shift"]])
            #expect(schemas.allSatisfy { $0.collection == "AuditEvent" })
            #expect(one == schemas[1])
            #expect(one.fields.filter(\.required).map(\.name) == ["_id", "_partition", "activity", "timestamp"])
        }
    }

    @Test("S66: an unknown metadata column is an invalid schema change where an app is not in Development Mode")
    func unknownColumn() async throws {
        let server = try await production()
        let (known, unknown) = (try device(1, "userId"), try device(2, "userId", "shift"))
        let ward = try await server.headers(.uploader(SampleDevice.owner))
        let lab = try await server.headers(.uploader(lab))

        try await server.run { client in
            let response = try await client.upload(unknown.stretch(1...1), as: ward)
            #expect(response.status == .unprocessableContent)
            #expect(
                try response.decoded(Refusal.self).message == """
                    Invalid schema change: the collection has no column 'shift', and an administrator adds it, \
                    or Development Mode does.
                    """
            )
            #expect(try await server.store.partition(unknown.partition) == nil)
            #expect(try await client.upload(known.stretch(1...1), as: ward).status == .ok)
            #expect(try await client.upload(unknown.stretch(1...1), as: lab).status == .ok)
            #expect(try await server.store.metadataColumns(of: "ward-app") == ["userId"])
        }
    }

    @Test("S68: an app without a collection is an invalid schema change, with nothing stored")
    func missingCollection() async throws {
        let server = try await production()
        let device = try device()
        let user = try await server.headers(.uploader(EventOwner(app: "empty", user: "1")))
        let administrator = try await server.headers(.administrator)

        try await server.run { client in
            let response = try await client.upload(device.stretch(1...1), as: user)
            #expect(response.status == .unprocessableContent)
            #expect(response.code == "invalidSchemaChange")
            #expect(
                try response.decoded(Refusal.self).message == """
                    Invalid schema change: the app has no collection 'AuditEvent', and an administrator creates it, \
                    or Development Mode does.
                    """
            )
            #expect(try await server.store.partition(device.partition) == nil)
            let created = try await client.post(
                "/api/v1/apps/empty/schema",
                #"{"metadataColumns":[]}"#,
                as: administrator
            )
            #expect(try created.decoded(EventSchema.self) == EventSchema(app: "empty", metadataColumns: []))
            #expect(try await client.upload(device.stretch(1...1), as: user).status == .ok)
        }
    }

    @Test("an administrator adds columns, again without effect, and what was refused is stored then")
    func adding() async throws {
        let server = try await production()
        let device = try device(1, "shift")
        let user = try await server.headers(.uploader(SampleDevice.owner))
        let administrator = try await server.headers(.administrator)

        try await server.run { client in
            #expect(try await client.upload(device.stretch(1...1), as: user).status == .unprocessableContent)
            for _ in 1...2 {
                let answer = try await client.post(
                    "/api/v1/apps/ward-app/schema",
                    #"{"metadataColumns":["shift","userId"]}"#,
                    as: administrator
                )
                #expect(try answer.decoded(EventSchema.self).metadataColumns == ["userId", "shift"])
            }
            #expect(try await client.upload(device.stretch(1...1), as: user).status == .ok)
            #expect(try await client.get("/api/v1/apps/ward-app/schema", as: administrator).status == .ok)
        }
    }

    @Test(
        "columns that no event can have, an app that is not served and a body of another form are refused",
        arguments: [
            ("ward-app", #"{"metadataColumns":["activity"]}"#, HTTPResponse.Status.badRequest),
            ("ward-app", #"{"metadataColumns":["a",""]}"#, .badRequest),
            ("ward-app", #"{"metadataColumns":["a\u0000"]}"#, .badRequest),
            ("ward-app", #"{"metadataColumns":"a"}"#, .badRequest),
            ("ward-app", "{}", .badRequest),
            ("other", #"{"metadataColumns":["a"]}"#, .forbidden),
            ("od%20d", #"{"metadataColumns":["a"]}"#, .badRequest),
        ]
    )
    func refusals(app: String, body: String, status: HTTPResponse.Status) async throws {
        let server = try await production()
        let administrator = try await server.headers(.administrator)

        try await server.run { client in
            let response = try await client.post("/api/v1/apps/\(app)/schema", body, as: administrator)

            #expect(response.status == status)
            #expect(try await server.store.metadataColumns(of: "ward-app") == ["userId"])
        }
    }

    @Test("an app without a collection has no schema to show")
    func nothingToShow() async throws {
        let server = try await production()
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            let response = try await client.get("/api/v1/apps/empty/schema", as: auditor)

            #expect(response.status == .notFound)
            #expect(try response.decoded(Refusal.self).message == "Not found: the app has no collection.")
        }
    }

    @Test("the configuration creates collections and adds what they lack, again and again")
    func configured() async throws {
        let store = InMemoryEventStore()
        try await store.extendCollection(of: "ward-app", by: ["ward"])
        let server = try await TestServer(
            store: store,
            configuration: ServerConfiguration(apps: ["ward-app": AppSettings(metadataColumns: ["userId", "ward"])])
        )
        for _ in 1...2 { try await server.run { _ in } }

        #expect(try await store.metadataColumns(of: "ward-app") == ["ward", "userId"])
        #expect(try await store.collections() == ["ward-app"])
    }
}
