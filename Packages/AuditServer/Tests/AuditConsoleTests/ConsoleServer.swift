import AuditAccounts
import AuditAdmission
import AuditExport
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import SQLiteStore
import Testing

/// A server with what a test stores in it, whose console opens in the shared browser.
struct ConsoleServer: Sendable {
    let folder: TestFolder
    let store: SQLiteEventStore
    let clock: ShiftedClock
    let tokens: TokenIssuer
    let key: SigningKey
    let service: AuditService

    /// Makes a server that has no event.
    init(_ configuration: ServerConfiguration = ServerConfiguration()) async throws {
        // By a clock that stands still, no request is ever long ago.
        var configuration = configuration
        configuration.limits.requests = ServerLimits.Rate(perMinute: 1200, burst: 100_000)
        folder = try TestFolder.made()
        store = try SQLiteEventStore(path: folder.file("db"))
        clock = ShiftedClock()
        tokens = try await TokenIssuer(key: TokenIssuer.makeKey(), clock: clock)
        key = SampleDevice.serverKey
        service = AuditService(
            configuration: configuration,
            store: store,
            index: try SearchIndex(),
            accounts: InMemoryAccountStore(),
            tokens: tokens,
            key: key,
            clock: clock,
            exports: try ExportFolder(folder.file("exports"))
        )
    }

    /// Runs the server with somebody signed in to its console.
    ///
    /// - Parameters:
    ///   - identity: Who signs in.
    ///   - body: The test, with the port of the server.
    /// - Throws: What the body throws, and what keeps the server or the browser from starting.
    func open(as identity: Identity, _ body: (Browser, Int) async throws -> Void) async throws {
        let token = try await tokens.issue(identity, for: .access)
        try await Browser.shared { browser in
            try await RunningServer.with(service) { port in
                try await browser.resize(1280, 900, isDark: false)
                try await browser.open("http://127.0.0.1:\(port)/console")
                try await browser.signIn(with: token)
                _ = try await browser.text(of: ".results tbody tr, .keeping")
                try await body(browser, port)
                let hacked = try await browser.run("return window.hacked")
                #expect(hacked == "undefined", "what is stored is text and nothing else")
            }
        }
    }
}
