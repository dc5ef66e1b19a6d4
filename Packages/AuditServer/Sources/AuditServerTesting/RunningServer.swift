public import AuditHTTP
public import Hummingbird
import Logging

/// A server on a free port of this machine, for as long as a test needs it.
public enum RunningServer {
    /// Starts a server, which looks for nothing that expired by itself, and ends it when the body ends.
    ///
    /// - Parameters:
    ///   - service: The server.
    ///   - body: The work, with the port.
    /// - Throws: What the body throws, and what keeps the server from starting.
    public static func with(_ service: AuditService, _ body: (Int) async throws -> Void) async throws {
        try await run(body) { onListening in
            let application = try service.withoutExpiring().application(logger: logger, onListening: onListening)
            try await application.run()
        }
    }

    /// Serves somebody else's routes, and ends that when the body ends.
    ///
    /// - Parameters:
    ///   - router: The routes.
    ///   - body: The work, with the port.
    /// - Throws: What the body throws, and what keeps the server from starting.
    public static func with(
        _ router: Router<BasicRequestContext>,
        _ body: (Int) async throws -> Void
    ) async throws {
        let responder = router.buildResponder()
        try await run(body) { onListening in
            let application = Application(
                responder: responder,
                configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { channel in if let port = channel.localAddress?.port { onListening(port) } },
                logger: logger
            )
            try await application.run()
        }
    }

    private static let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    private static func run(
        _ body: (Int) async throws -> Void,
        _ serve: @escaping @Sendable (@escaping @Sendable (Int) -> Void) async throws -> Void
    ) async throws {
        // One port is told; the end of the server finishes the stream.
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { found.finish() }
                try await serve { found.yield($0) }
            }
            for await port in ports {
                try await body(port)
                break
            }
            group.cancelAll()
            // The server answers its cancellation with an error, which is what was asked for.
            do { try await group.waitForAll() } catch is CancellationError { return }
        }
    }
}
