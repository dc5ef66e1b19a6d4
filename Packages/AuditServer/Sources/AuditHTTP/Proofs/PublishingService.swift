import LogPublishing
import Logging
import ServiceLifecycle

/// Publishes the log of sealed partitions for as long as the server runs: what was sealed within a second is one checkpoint.
struct PublishingService: Service {
    let publisher: LogPublisher
    let logger: Logger
    /// Waits between two runs; throws when the server ends.
    let pause: @Sendable (Duration) async throws -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var told: String?
            while !Task.isCancelled {
                do {
                    try await publisher.publish()
                    told = nil
                } catch is CancellationError {
                    return
                } catch {
                    // What stays wrong is told once.
                    if told != "\(error)" { logger.error("the log is not published", metadata: ["error": "\(error)"]) }
                    told = "\(error)"
                }
                do {
                    try await pause(.seconds(1))
                } catch {
                    // Only the end of the server wakes it early; what was sealed last is published by the next start.
                    return
                }
            }
        }
    }
}
