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
    /// Where exports are made, each server's in a folder of its own.
    private static let folder = try? TestFolder.made()

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
        case .claim:
            let claim = try DeviceKeyClaim(
                of: Self.device.key,
                for: SampleDevice.owner,
                to: SampleDevice.serverKey.publicKey,
                at: SampleDevice.received
            )
            body = ByteBuffer(bytes: try JSONEncoder().encode(["claim": claim.text]))
        }
        return try await client.execute(uri: "/api/v1/\(path)", method: row.method, headers: headers, body: body)
    }

    @Test("each route answers each asker as the table says", arguments: IsolationTable.rows)
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
        let rows = Set(IsolationTable.rows.map { "\($0.method) \(Self.plain($0.route))" })
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
                for row in IsolationTable.rows where row.method == .get && row.route.contains(":partition") {
                    let path = try #require(row.path)
                    let there = try await send(row, path, as: headers, to: client)
                    let nowhere = try await send(
                        row,
                        path.replacing(IsolationTable.partition, with: missing),
                        as: headers,
                        to: client
                    )

                    #expect(there.status == nowhere.status, "\(asker) \(row.route)")
                    let body = String(buffer: there.body).replacing(IsolationTable.partition, with: missing)
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
            "..", "%2E%2E%2F\(IsolationTable.partition)", "\(IsolationTable.partition)%00",
            "\(IsolationTable.partition)'--", "\(IsolationTable.partition)%20", "%20\(IsolationTable.partition)",
            "Ward-000000000000000700000001", "ward%2D000000000000000700000001", "WARD-000000000000000700000001",
            "w%C4%81rd-000000000000000700000001", "%25\(IsolationTable.partition)", "ward*-000000000000000700000001",
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
            #expect(
                try await client.get("/api/v1/partitions/\(IsolationTable.partition)", as: headers).status == .forbidden
            )
        }
    }
}
