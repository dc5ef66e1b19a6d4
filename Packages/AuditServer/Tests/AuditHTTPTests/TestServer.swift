import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LogPublishing
import Logging
import NIOCore
import SyncServer
import Testing

@testable import AuditAccounts
@testable import AuditExport
@testable import AuditHTTP
@testable import AuditModel
@testable import AuditSearch
@testable import SQLiteStore

/// A server under test, with the words that tests need.
struct TestServer: Sendable {
    let clock: ManualClock
    private(set) var store: any AuditStore
    let accounts = InMemoryAccountStore()
    let realms: any ChangeStore = InMemoryChangeStore()
    /// Whether it has realms that devices share.
    var hasRealms = true
    private(set) var configuration: ServerConfiguration
    let tokens: TokenIssuer
    let key: SigningKey
    let exports: ExportFolder?
    private(set) var index: SearchIndex
    private var logFolder: LogFolder?
    private var checkFile: String?
    /// The first of its ids; servers beside each other have others.
    private var firstID: UInt32 = 1

    init(
        store: any AuditStore = InMemoryEventStore(),
        configuration: ServerConfiguration = ServerConfiguration(),
        clock: ManualClock = ManualClock(),
        exports: ExportFolder? = nil,
        index: SearchIndex? = nil
    ) async throws {
        self.clock = clock
        self.exports = exports
        self.index = try index ?? SearchIndex()
        self.store = store
        self.configuration = configuration
        key = SampleDevice.serverKey
        tokens = try await TokenIssuer(key: TokenIssuer.makeKey(), clock: clock)
    }

    /// The same server, started again with another configuration.
    func with(_ configuration: ServerConfiguration) -> TestServer {
        var server = self
        server.configuration = configuration
        return server
    }

    /// The same server, with a folder in which it publishes its log.
    func publishing(_ folder: LogFolder) -> TestServer {
        var server = self
        server.logFolder = folder
        return server
    }

    /// The same server, with a file that says how far its checks are.
    func checking(_ path: String) -> TestServer {
        var server = self
        server.checkFile = path
        return server
    }

    /// The same server over another database.
    func over(_ store: any AuditStore) -> TestServer {
        var server = self
        server.store = store
        return server
    }

    /// Another server on the same database, with the same keys and an index of its own.
    func beside() throws -> TestServer {
        var server = self
        server.index = try SearchIndex()
        server.firstID += 1_000_000
        return server
    }

    /// The cursor of somebody who follows a route from before the first event on; for a server with an index of its own.
    func cursorAtStart(of use: String) async throws -> String {
        var position = FollowPosition()
        position.goOn(to: 0, in: try await index.generation())
        return try CursorSeal(key).text([UInt8](repeating: 0, count: 8) + position.bytes, for: use)
    }

    /// The service, which serves nobody yet.
    var service: AuditService {
        AuditService(
            configuration: configuration,
            store: store,
            index: index,
            accounts: accounts,
            tokens: tokens,
            key: key,
            clock: clock,
            ids: SequentialIds(first: firstID),
            exports: exports,
            realms: hasRealms ? realms : nil,
            logFolder: logFolder,
            checkFile: checkFile
        )
        .withoutExpiring()
    }

    /// Runs a test against the routes, or against a port of this machine.
    func run(
        _ setup: TestingSetup = .router,
        _ body: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        var logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        logger.logLevel = .critical
        let service = service
        try await service.prepareCollections()
        try await service.application(logger: logger).test(setup, body)
    }

    func headers(_ identity: Identity, for use: TokenIssuer.Use = .access) async throws -> HTTPFields {
        if case .uploader(let owner) = identity {
            let token = try await tokens.signIn(owner, for: use, in: accounts, clock: clock)
            return [.authorization: "Bearer \(token)"]
        }
        return [.authorization: "Bearer \(try await tokens.issue(identity, for: use))"]
    }
}

extension TestClientProtocol {
    /// Uploads a stretch.
    func upload(
        _ stretch: PartitionStretch,
        to partition: PartitionID? = nil,
        as headers: HTTPFields
    ) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = PartitionStretch.mediaType
        return try await execute(
            uri: "/api/v1/partitions/\((partition ?? stretch.partition).value)/events",
            method: .post,
            headers: headers,
            body: ByteBuffer(bytes: try stretch.wireBytes())
        )
    }

    func get(_ uri: String, as headers: HTTPFields = [:]) async throws -> TestResponse {
        try await execute(uri: uri, method: .get, headers: headers)
    }

    func post(_ uri: String, _ body: String, as headers: HTTPFields = [:]) async throws -> TestResponse {
        try await execute(uri: uri, method: .post, headers: headers, body: ByteBuffer(string: body))
    }
}

/// The body of every refusal.
struct Refusal: Decodable {
    let code: String
    let message: String
}

/// The body of a sign-in.
struct Session: Decodable {
    let userID: String
    let accessToken: String
    let refreshToken: String
    let expiresInSeconds: Int
}

extension TestResponse {
    func decoded<T: Decodable>(_ type: T.Type = T.self) throws -> T {
        try JSONDecoder().decode(type, from: Data(body.readableBytesView))
    }

    func lines<T: Decodable>(_ type: T.Type = T.self) throws -> [T] {
        try body.readableBytesView.split(separator: 0x0A).map { try JSONDecoder().decode(type, from: Data($0)) }
    }

    var code: String? { try? decoded(Refusal.self).code }

    /// Where the next page starts.
    var nextCursor: String? { headers.first { $0.name.rawName == AuditService.nextCursorHeader }?.value }
}
