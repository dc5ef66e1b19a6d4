import AuditAccounts
import AuditHTTP
import AuditModel
import AuditServerTesting
import ChangeModel
import EventModel
import HTTPTypes
import HummingbirdTesting
import NIOCore
import SyncServer
import Testing

@Suite("The trail of administrators")
struct AdministrationTrailTests {
    private struct Found: Decodable {
        struct Line: Decodable {
            let activity: String?
            let excerpt: String?
            let metadata: [String: String]
        }
        let events: [Line]
    }

    private struct Issued: Decodable {
        let id: String
    }

    private static func server(_ store: any AuditStore = InMemoryEventStore()) async throws -> TestServer {
        try await TestServer(
            store: store,
            configuration: ServerConfiguration(
                apps: ["ward-app": AppSettings(emailPassword: .signIn)],
                passwordCost: 10
            )
        )
    }

    private static let user = #"{"email":"nurse@ward.example","password":"correct horse"}"#
    private static let classes = #"{"classes":[{"name":"Pet","key":"_id","properties":[{"name":"_id","type":"int"}]}]}"#
    private static let token = #"{"role":"reviewer","name":"Legal","apps":["ward-app"]}"#

    @Test("each change that an administrator makes is an event, which says what and by what role, and no password")
    func changes() async throws {
        let server = try await Self.server()
        let administrator = try await server.headers(.administrator)
        let reviewer = try await server.headers(.reviewer)

        try await server.run { client in
            let issued = try await client.post("/api/v1/tokens", Self.token, as: administrator).decoded(Issued.self)
            let requests: [(HTTPRequest.Method, String, String)] = [
                (.delete, "tokens/\(issued.id)", ""), (.post, "apps/ward-app/users", Self.user),
                (.put, "apps/ward-app/users/password", Self.user),
                (.delete, "apps/ward-app/users/0000000000000000000000aa", ""),
                (.post, "apps/ward-app/schema", #"{"metadataColumns":["shift"]}"#),
                (.post, "apps/ward-app/classes", Self.classes),
            ]
            for (method, path, body) in requests {
                let response = try await client.execute(
                    uri: "/api/v1/\(path)",
                    method: method,
                    headers: administrator,
                    body: .init(string: body)
                )
                #expect([200, 204].contains(response.status.code), "\(path)")
            }
            let trail = try await client.get("/api/v1/search?app=daybook/auditors&order=oldest", as: reviewer)
                .decoded(Found.self).events.filter { $0.activity != "search" }
            let expected = [
                ("issue token", "\(issued.id) reviewer of ward-app until 2023-12-14T22:13:20.000000Z for Legal"),
                ("revoke token", issued.id), ("add user", "ward-app nurse@ward.example"),
                ("set password", "ward-app nurse@ward.example"),
                ("remove user", "ward-app 0000000000000000000000aa"), ("extend schema", "ward-app shift"),
                ("extend classes", "ward-app Pet"),
            ]
            #expect(trail.map(\.activity) == expected.map(\.0))
            for (line, (_, subject)) in zip(trail, expected) {
                #expect(line.excerpt?.contains(#""about":"\#(subject)""#) == true, "\(line.excerpt ?? "")")
                #expect(line.excerpt?.contains(#""role":"administrator""#) == true)
                #expect(line.metadata == ["name": "the token of the data folder"])
                #expect(line.excerpt?.contains("correct horse") == false)
            }
        }
    }

    @Test("what cannot be recorded is not done")
    func trailFails() async throws {
        let server = try await Self.server(FullEventStore(InMemoryEventStore()))
        let administrator = try await server.headers(.administrator)

        try await server.run { client in
            for (path, body) in [
                ("tokens", Self.token), ("apps/ward-app/users", Self.user), ("apps/ward-app/classes", Self.classes),
            ] {
                let response = try await client.post("/api/v1/\(path)", body, as: administrator)
                #expect(response.status == .serviceUnavailable, "\(path)")
            }
        }
        #expect(try await server.accounts.tokens(after: nil, limit: 10) == [])
        #expect(try await server.accounts.accounts(of: "ward-app", after: nil, limit: 10) == [])
        let schema = try await server.realms.schema(of: "ward-app")
        #expect(schema == nil)
    }
}
