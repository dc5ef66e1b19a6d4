import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import AuditAccounts
@testable import AuditExport
@testable import AuditHTTP
@testable import AuditModel
@testable import SQLiteStore

@Suite("Isolation of tenants")
struct TenantIsolationTests {
    private static let partition = "ward-000000000000000700000001"
    private static let sealed = "ward-000000000000000700000002"
    private static let nurse = #"{"email":"nurse@ward.example","password":"correct horse"}"#
    /// Where exports are made, each server's in a folder of its own.
    private static let folder = try? TemporaryFolder()
    private static let everybody = [200, 200, 200, 200, 200, 200, 200]
    private static let readers = [403, 403, 403, 200, 200, 200, 403]
    private static let missing = [403, 403, 403, 404, 404, 404, 403]
    private static let refused = [Int](repeating: 403, count: 7)
    /// An id that nothing has.
    private static let nothing = "0000000000000000000000ff"
    private static let administrators = [403, 403, 403, 403, 403, 403, 200]
    private static let keepers = [403, 403, 403, 200, 403, 403, 200]
    private static let lifters = [403, 403, 403, 403, 403, 403, 404]
    private static let keeping = #"{"name":"x","filter":{"activity":"a"},"reason":"r","events":0}"#

    private static let rows = [
        IsolationRow(
            method: .post,
            route: "partitions/:partition/events",
            path: "partitions/\(partition)/events",
            body: .stretch,
            statuses: [200, 403, 403, 403, 403, 403, 403]
        ),
        IsolationRow(
            method: .get,
            route: "partitions/:partition",
            path: "partitions/\(partition)",
            statuses: [200, 200, 200, 200, 200, 200, 403]
        ),
        IsolationRow(
            method: .get,
            route: "partitions/:partition/leaves",
            path: "partitions/\(partition)/leaves",
            statuses: readers
        ),
        IsolationRow(method: .get, route: "events", statuses: readers),
        IsolationRow(method: .get, route: "events/new", statuses: readers),
        IsolationRow(
            method: .get,
            route: "events/:event",
            path: "events/000000000000070100000001",
            statuses: [403, 403, 403, 200, 200, 404, 403]
        ),
        IsolationRow(method: .get, route: "partitions", statuses: readers),
        IsolationRow(method: .get, route: "schema", statuses: readers),
        IsolationRow(
            method: .get,
            route: "apps/:app/schema",
            path: "apps/ward-app/schema",
            statuses: [403, 403, 403, 200, 200, 404, 200]
        ),
        IsolationRow(
            method: .post,
            route: "apps/:app/schema",
            path: "apps/ward-app/schema",
            body: .text(#"{"metadataColumns":["shift"]}"#),
            statuses: administrators
        ),
        IsolationRow(method: .get, route: "apps/:app/users", path: "apps/ward-app/users", statuses: administrators),
        IsolationRow(
            method: .post,
            route: "apps/:app/users",
            path: "apps/ward-app/users",
            body: .text(#"{"email":"new@ward.example","password":"correct horse"}"#),
            statuses: administrators
        ),
        IsolationRow(
            method: .put,
            route: "apps/:app/users/password",
            path: "apps/ward-app/users/password",
            body: .text(nurse),
            statuses: [403, 403, 403, 403, 403, 403, 204]
        ),
        IsolationRow(
            method: .delete,
            route: "apps/:app/users/:user",
            path: "apps/ward-app/users/0000000000000000000000aa",
            statuses: [403, 403, 403, 403, 403, 403, 204]
        ),
        IsolationRow(
            method: .get,
            route: "apps/:app/users/:user/sessions",
            path: "apps/ward-app/users/0000000000000000000000aa/sessions",
            statuses: administrators
        ),
        IsolationRow(
            method: .delete,
            route: "apps/:app/users/:user/sessions",
            path: "apps/ward-app/users/0000000000000000000000aa/sessions",
            statuses: administrators
        ),
        IsolationRow(
            method: .delete,
            route: "apps/:app/users/:user/sessions/:session",
            path: "apps/ward-app/users/0000000000000000000000aa/sessions/\(nothing)",
            statuses: lifters
        ),
        IsolationRow(method: .delete, route: "users/me", statuses: [204, 204, 204, 403, 403, 403, 403]),
        IsolationRow(
            method: .post,
            route: "tokens",
            body: .text(#"{"role":"auditor","name":"x"}"#),
            statuses: administrators
        ),
        IsolationRow(method: .get, route: "tokens", statuses: administrators),
        IsolationRow(method: .get, route: "exports", statuses: readers),
        IsolationRow(
            method: .post,
            route: "exports",
            body: .text(#"{"formats":["csv"]}"#),
            statuses: [403, 403, 403, 202, 202, 202, 403]
        ),
        IsolationRow(
            method: .get,
            route: "exports/:export",
            path: "exports/000000000000000000000001",
            statuses: [403, 403, 403, 404, 404, 404, 403]
        ),
        IsolationRow(
            method: .delete,
            route: "exports/:export",
            path: "exports/000000000000000000000001",
            statuses: [403, 403, 403, 404, 404, 404, 403]
        ),
        IsolationRow(
            method: .get,
            route: "exports/:export/files/:file",
            path: "exports/000000000000000000000001/files/events.csv",
            statuses: [403, 403, 403, 404, 404, 404, 403]
        ),
        IsolationRow(
            method: .delete,
            route: "tokens/:token",
            path: "tokens/000000000000000000000001",
            statuses: [403, 403, 403, 403, 403, 403, 404]
        ),
        IsolationRow(method: .get, route: "search", statuses: readers),
        IsolationRow(method: .get, route: "search/volume", statuses: readers),
        IsolationRow(method: .get, route: "search/values", statuses: [403, 403, 403, 200, 403, 403, 403]),
        IsolationRow(method: .get, route: "search/new", statuses: readers),
        IsolationRow(method: .get, route: "search/summary", statuses: readers),
        IsolationRow(method: .get, route: "timeline", statuses: readers),
        IsolationRow(
            method: .get,
            route: "reconstruct",
            path: "reconstruct?class=Patient&key=p1&person=ada&at=\(partition)/1",
            statuses: [403, 403, 403, 200, 200, 404, 403]
        ),
        IsolationRow(method: .get, route: "completeness/clocks", statuses: readers),
        IsolationRow(method: .get, route: "completeness/log", statuses: readers),
        IsolationRow(
            method: .get,
            route: "completeness/devices",
            path: "completeness/devices?partition=\(partition)",
            statuses: readers
        ),
        IsolationRow(
            method: .get,
            route: "partitions/:partition/events/:sequence",
            path: "partitions/\(partition)/events/1",
            statuses: [403, 403, 403, 200, 200, 404, 403]
        ),
        IsolationRow(method: .get, route: "views", statuses: readers),
        IsolationRow(method: .post, route: "views", body: .text(#"{"name":"x","query":""}"#), statuses: readers),
        IsolationRow(
            method: .put,
            route: "views/:view",
            path: "views/\(nothing)",
            body: .text("{}"),
            statuses: missing
        ),
        IsolationRow(method: .delete, route: "views/:view", path: "views/\(nothing)", statuses: missing),
        IsolationRow(
            method: .get,
            route: "notes",
            path: "notes?partition=\(partition)",
            statuses: [403, 403, 403, 200, 200, 404, 403]
        ),
        IsolationRow(
            method: .post,
            route: "notes",
            body: .text(#"{"subject":{"partition":"\#(partition)","sequence":1},"text":"x"}"#),
            statuses: [403, 403, 403, 200, 200, 404, 403]
        ),
        IsolationRow(method: .get, route: "reviews", statuses: readers),
        IsolationRow(
            method: .post,
            route: "reviews",
            body: .text(#"{"view":"\#(nothing)","period":"daily","zone":"UTC"}"#),
            statuses: refused,
            reviewers: [404, 404, 404]
        ),
        IsolationRow(
            method: .delete,
            route: "reviews/:review",
            path: "reviews/\(nothing)",
            statuses: refused,
            reviewers: [404, 404, 404]
        ),
        IsolationRow(
            method: .get,
            route: "reviews/:review/signatures",
            path: "reviews/\(nothing)/signatures",
            statuses: missing
        ),
        IsolationRow(
            method: .post,
            route: "reviews/:review/signatures",
            path: "reviews/\(nothing)/signatures",
            body: .text(#"{"outcome":"noFinding","through":"2026-01-31T08:30:00Z"}"#),
            statuses: refused,
            reviewers: [404, 404, 404]
        ),
        IsolationRow(method: .get, route: "alerts", statuses: readers),
        IsolationRow(method: .get, route: "alerts/count", statuses: readers),
        IsolationRow(
            method: .post,
            route: "alerts/:alert/acknowledgement",
            path: "alerts/\(nothing)/acknowledgement",
            body: .text(#"{"reason":"x"}"#),
            statuses: refused,
            reviewers: [404, 404, 404]
        ),
        IsolationRow(method: .get, route: "holds", statuses: keepers),
        IsolationRow(method: .post, route: "holds", body: .text(keeping), statuses: administrators),
        IsolationRow(
            method: .post,
            route: "holds/:hold/lift",
            path: "holds/1/lift",
            body: .text(keeping),
            statuses: lifters
        ),
        IsolationRow(method: .get, route: "erasures", statuses: keepers),
        IsolationRow(method: .get, route: "erasures/:erasure/ranges", path: "erasures/1/ranges", statuses: keepers),
        IsolationRow(method: .post, route: "erasures/preview", body: .text(keeping), statuses: administrators),
        IsolationRow(method: .post, route: "erasures", body: .text(keeping), statuses: administrators),
        IsolationRow(method: .get, route: "retention", statuses: keepers),
        IsolationRow(method: .post, route: "retention", statuses: administrators),
        IsolationRow(method: .get, route: "retention/clock", statuses: keepers),
        IsolationRow(
            method: .post,
            route: "retention/clock",
            body: .text(#"{"reason":"r"}"#),
            statuses: administrators
        ),
        IsolationRow(method: .get, route: "unmasking/purposes", statuses: readers),
        IsolationRow(
            method: .post,
            route: "partitions/:partition/events/:sequence/unmask",
            path: "partitions/\(partition)/events/1/unmask",
            body: .text(#"{"purpose":"Complaint","reason":"x"}"#),
            statuses: [403, 403, 403, 403, 403, 403, 403],
            reviewers: [200, 200, 404]
        ),
        IsolationRow(
            method: .post,
            route: "objects/unmask",
            path: "objects/unmask?class=Patient&key=p1&since=2023-11-14T00:00:00Z&until=2023-11-15T00:00:00Z",
            body: .text(#"{"purpose":"Complaint","reason":"x"}"#),
            statuses: [403, 403, 403, 403, 403, 403, 403],
            reviewers: [200, 200, 200]
        ),
        IsolationRow(method: .get, route: "console/session", statuses: [403, 403, 403, 200, 200, 200, 200]),
        IsolationRow(method: .get, route: "log/head", statuses: everybody),
        IsolationRow(method: .get, route: "log/consistency", statuses: everybody),
        IsolationRow(
            method: .get,
            route: "log/inclusion",
            path: "log/inclusion?partition=\(sealed)",
            statuses: [200, 400, 400, 200, 200, 400, 403]
        ),
        IsolationRow(method: .get, route: "log/entries", statuses: readers),
        IsolationRow(method: .get, route: "devices", statuses: readers),
        IsolationRow(method: .get, route: "metrics", statuses: [403, 403, 403, 200, 403, 403, 200]),
    ]

    /// A server with a partition of the owner, and one user with a password.
    private func server() async throws -> TestServer {
        let apps = ["ward-app", "lab"].map { ($0, AppSettings(emailPassword: .signIn, metadataColumns: [])) }
        let server = try await TestServer(
            configuration: ServerConfiguration(
                isDevelopmentMode: false,
                apps: Dictionary(uniqueKeysWithValues: apps),
                passwordCost: 10
            ),
            exports: ExportFolder(#require(Self.folder).file(ProcessInfo.processInfo.globallyUniqueString))
        )
        _ = try await server.store.accept(Self.device.upload(1...2, owner: Asker.ward))
        var sealed = SampleDevice(2)
        sealed.record(["c"])
        _ = try await server.store.accept(sealed.upload(1...1, owner: Asker.ward, seal: sealed.seal(of: Asker.ward)))
        let account = PasswordAccount(
            user: Asker.ward,
            email: try EmailAddress("nurse@ward.example"),
            hash: try PasswordHash(of: "correct horse", cost: .init(logarithm: 10))
        )
        _ = try await server.accounts.add(account)
        return server
    }

    private static let device: SampleDevice = {
        var device = SampleDevice()
        device.record(["a", "b"])
        return device
    }()

    private func send(
        _ row: IsolationRow,
        _ path: String,
        as headers: HTTPFields,
        to client: any TestClientProtocol
    ) async throws -> TestResponse {
        var headers = headers
        var body: ByteBuffer?
        switch row.body {
        case .none: break
        case .text(let text): body = ByteBuffer(string: text)
        case .stretch:
            headers[.contentType] = PartitionStretch.mediaType
            body = ByteBuffer(bytes: try Self.device.stretch(1...2).wireBytes())
        }
        return try await client.execute(uri: "/api/v1/\(path)", method: row.method, headers: headers, body: body)
    }

    @Test("each route answers each asker as the table says", arguments: rows)
    private func table(row: IsolationRow) async throws {
        for asker in Asker.allCases {
            let server = try await server()
            let headers = try await asker.headers(server)
            let expected = try row.status(of: asker)
            try await server.run { client in
                let response = try await send(row, row.path ?? row.route, as: headers, to: client)

                #expect(Int(response.status.code) == expected, "\(asker)")
                if response.status == .unauthorized {
                    #expect(response.headers[.wwwAuthenticate] == "Bearer", "\(asker)")
                }
            }
        }
    }

    @Test("every route below /api/v1 wants a token, but for those that give or end one, and the server's key")
    func everyRoute() async throws {
        let open = [
            "POST apps/:app/login", "POST apps/:app/register", "POST token/refresh", "GET key",
            "POST console/session", "DELETE console/session", "DELETE users/me/session",
        ]
        .map(Self.plain)
        let server = try await server()
        let routes = try server.service.routes().rows.filter { $0.path.hasPrefix("/api/v1/") }
        let names = routes.reduce(into: [Bool: Set<String>]()) { names, route in
            names[route.permission == "anyone", default: []].insert(Self.name(route))
        }
        #expect(names[true] == Set(open), "no other route is open")
        let rows = Set(Self.rows.map { "\($0.method) \(Self.plain($0.route))" })
        #expect(rows == names[false], "each has its row in the table")
        let forged = try await Asker.forged.headers(server)

        try await server.run { client in
            for route in routes where !open.contains(Self.name(route)) {
                let path = Self.plain(route.path).replacing("*", with: "x")
                let method = try #require(HTTPRequest.Method(route.method))
                for headers in [HTTPFields(), forged] {
                    let response = try await client.execute(
                        uri: "/\(path)",
                        method: method,
                        headers: headers
                    )
                    #expect(response.status == .unauthorized, "\(route.method) \(route.path)")
                }
            }
        }
    }

    /// A route below `/api/v1` as the table and the list above have it.
    private static func name(_ route: RouteTable.Row) -> String {
        "\(route.method) \(plain(String(route.path.dropFirst("/api/v1/".count))))"
    }

    /// A route with a star for each name in it.
    private static func plain(_ path: String) -> String {
        path.split(separator: "/").map { $0.hasPrefix(":") || $0.hasPrefix("{") ? "*" : $0 }.joined(separator: "/")
    }

    @Test("nobody learns from an answer whether a partition of somebody else exists")
    func existence() async throws {
        let missing = "ward-0000000000000007000000ff"
        for asker in [Asker.neighbour, .stranger, .labAuditor, .labReviewer, .administrator] {
            let server = try await server()
            let headers = try await asker.headers(server)
            try await server.run { client in
                for row in Self.rows where row.method == .get && row.route.contains(":partition") {
                    let path = try #require(row.path)
                    let there = try await send(row, path, as: headers, to: client)
                    let nowhere = try await send(
                        row,
                        path.replacing(Self.partition, with: missing),
                        as: headers,
                        to: client
                    )

                    #expect(there.status == nowhere.status, "\(asker) \(row.route)")
                    let body = String(buffer: there.body).replacing(Self.partition, with: missing)
                    #expect(body == String(buffer: nowhere.body), "\(asker) \(row.route)")
                }
            }
        }
    }

    @Test("nothing that somebody else sends changes a partition, whatever they send")
    func foreignWrites() async throws {
        let server = try await server()
        let before = try await server.store.partition(Self.device.partition)
        var longer = Self.device
        longer.record(["c"])
        var other = SampleDevice()
        other.record(["x", "y", "z"])
        let seal = try longer.seal()
        let stretches = [
            longer.stretch(3...3), longer.stretch(1...3), longer.stretch(1...3, seal: seal), other.stretch(1...3),
            longer.stretch(2...2),
        ]

        for asker in Asker.allCases where asker != .owner && asker != .expired {
            let headers = try await asker.headers(server)
            try await server.run { client in
                for stretch in stretches {
                    let response = try await client.upload(stretch, as: headers)
                    // Whose the seal is says the seal itself, whatever is stored.
                    let refusals: [Int] = stretch.seal == nil ? [401, 403] : [400, 401, 403]
                    #expect(refusals.contains(response.status.code), "\(asker)")
                    #expect(!String(buffer: response.body).contains(Asker.ward.user), "\(asker)")
                }
            }
        }
        #expect(try await server.store.partition(Self.device.partition) == before)
    }

    @Test(
        "a name with odd characters is refused or names nothing, and never somebody else's partition",
        arguments: [
            "ward-0000000000000007000000G1", "ward-00000000000000070000000", "ward", "-", "%20", "%00", "%FF",
            "..", "%2E%2E%2F\(partition)", "\(partition)%00", "\(partition)'--", "\(partition)%20", "%20\(partition)",
            "Ward-000000000000000700000001", "ward%2D000000000000000700000001", "WARD-000000000000000700000001",
            "w%C4%81rd-000000000000000700000001", "%25\(partition)", "ward*-000000000000000700000001",
            "' OR '1'='1-000000000000000700000001".replacing(" ", with: "%20"), String(repeating: "a", count: 3000),
        ]
    )
    func oddNames(name: String) async throws {
        let server = try await server()
        try await server.run { client in
            for asker in [Asker.neighbour, .labAuditor, .labReviewer] {
                let headers = try await asker.headers(server)
                for path in ["partitions/\(name)", "partitions/\(name)/leaves"] {
                    let response = try await client.get("/api/v1/\(path)", as: headers)
                    let body = String(buffer: response.body)

                    #expect([200, 400, 403, 404].contains(response.status.code))
                    #expect(!body.contains(Self.device.frontier(through: 2).root.description))
                    #expect(!body.contains("\"durableThrough\":2"))
                    #expect(!body.contains("leafHash"))
                }
            }
        }
    }

    @Test("a user of an app that is not served any more neither writes nor asks")
    func removedApp() async throws {
        let server = try await server()
        let headers = try await server.headers(.uploader(EventOwner(app: "closed", user: Asker.ward.user)))

        try await server.run { client async throws in
            #expect(try await client.upload(Self.device.stretch(1...2), as: headers).status == .forbidden)
            #expect(try await client.get("/api/v1/partitions/\(Self.partition)", as: headers).status == .forbidden)
        }
    }
}
