import AuditServer
import Hummingbird
import Logging

/// A server on a free port of this machine, for as long as a test needs it.
enum RunningServer {
    static func with(_ service: AuditService, _ body: (Int) async throws -> Void) async throws {
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { found.finish() }
                let application = try service.application(logger: logger) { found.yield($0) }
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
