import AuditAccounts
import AuditHTTP
import AuditModel
import AuditServerTesting
import ChangeModel
import ChangeModelTesting
import EventModel
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import SyncServer

@Suite("The classes of an app's realms over HTTP")
struct ClassRoutesTests {
    private static let nurse = Identity.uploader(EventOwner(app: "ward-app", user: "nurse"))
    private static let person = """
        {"classes":[{"name":"Person","key":"_id","properties":[
            {"name":"_id","type":"int"},{"name":"name","type":"string","optional":true}]}]}
        """

    /// An app in production, whose users share a realm.
    private func production() async throws -> TestServer {
        try await TestServer(
            configuration: ServerConfiguration(
                isDevelopmentMode: false,
                apps: ["ward-app": AppSettings(realmRules: RealmRules.all)]
            )
        )
    }

    @Test("an administrator adds classes, again without effect, and a device that was refused binds its file then")
    func adding() async throws {
        let server = try await production()
        let (user, auditor) = (try await server.headers(Self.nurse), try await server.headers(.auditor))
        let administrator = try await server.headers(.administrator)
        try await server.run { client in
            var device = try SharingDevice(client, as: user)
            let refused = try await device.post("bind", device.request().encoded)
            #expect(refused.status == .unprocessableContent)
            #expect(
                try refused.decoded(Refusal.self).message == """
                    The server has no class Person. An administrator adds what is missing, or Development Mode does.
                    """
            )
            let path = "/api/v1/apps/ward-app/classes"
            #expect(try await client.get(path, as: auditor).decoded(SyncSchema.self) == SyncSchema())
            for _ in 1...2 {
                let answer = try await client.post(path, Self.person, as: administrator)
                #expect(try answer.decoded(SyncSchema.self) == SharingDevice.schema)
            }
            #expect(try await client.get(path, as: auditor).decoded(SyncSchema.self) == SharingDevice.schema)

            #expect(try await device.bind().needsSchema == false)
            let answer = try await device.send(ObjectAddress.sample().create(["name": .string("Ada")]))
            #expect(answer.acknowledged == 1)
        }
    }

    @Test(
        "what contradicts the classes that are there is refused with a sentence for each difference, and adds nothing"
    )
    func contradicting() async throws {
        let server = try await production()
        let administrator = try await server.headers(.administrator)
        try await server.run { client in
            let path = "/api/v1/apps/ward-app/classes"
            #expect(try await client.post(path, Self.person, as: administrator).status == .ok)
            let other = """
                {"classes":[{"name":"Person","key":"_id","properties":[
                    {"name":"_id","type":"int"},{"name":"name","type":"int"},{"name":"age","type":"int"}]}]}
                """
            let response = try await client.post(path, other, as: administrator)

            #expect(response.status == .unprocessableContent)
            #expect(response.code == "invalidSchemaChange")
            #expect(
                try response.decoded(Refusal.self).message
                    == "The property Person.name is of type string?, and not of type int."
            )
            let schema = try await server.realms.schema(of: "ward-app")
            #expect(schema == SharingDevice.schema)
        }
    }

    @Test(
        "a body of another form, a name that is too long, and an app that is not served are refused",
        arguments: [
            ("ward-app", #"{"classes":{}}"#, HTTPResponse.Status.badRequest),
            ("ward-app", #"{"classes":[{"name":"A","kind":"table","properties":[]}]}"#, .badRequest),
            (
                "ward-app",
                #"{"classes":[{"name":"\#(String(repeating: "A", count: 1025))","key":"_id","properties":[]}]}"#,
                .contentTooLarge
            ),
            ("other", person, .forbidden),
        ]
    )
    func refusals(app: String, body: String, status: HTTPResponse.Status) async throws {
        let server = try await production()
        let administrator = try await server.headers(.administrator)
        try await server.run { client in
            #expect(try await client.post("/api/v1/apps/\(app)/classes", body, as: administrator).status == status)
            let schema = try await server.realms.schema(of: "ward-app")
            #expect(schema == nil)
        }
    }

    @Test("a server that shares no realms says so")
    func noRealms() async throws {
        var server = try await production()
        server.hasRealms = false
        let administrator = try await server.headers(.administrator)
        try await server.run { client in
            let response = try await client.get("/api/v1/apps/ward-app/classes", as: administrator)
            #expect(response.status == .forbidden)
        }
    }
}
