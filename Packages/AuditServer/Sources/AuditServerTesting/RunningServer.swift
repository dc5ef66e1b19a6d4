public import AuditHTTP
import Hummingbird
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
        // One port is told; the end of the server finishes the stream.
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { found.finish() }
                let application = try service.withoutExpiring().application(logger: logger) { found.yield($0) }
                try await application.run()
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
