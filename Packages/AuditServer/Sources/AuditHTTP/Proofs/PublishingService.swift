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
                told = await publish(unless: told)
                do {
                    try await pause(.seconds(1))
                } catch {
                    // Only the end of the server wakes it early.
                    break
                }
            }
            // What was sealed last; not as a part of this task, whose work is over.
            let (last, before) = (self, told)
            _ = await Task { await last.publish(unless: before) }.value
        }
    }

    /// Publishes once, and tells of what is wrong unless it was told before.
    ///
    /// - Returns: What is wrong; nil when nothing is.
    private func publish(unless told: String?) async -> String? {
        do {
            try await publisher.publish()
            return nil
        } catch is CancellationError {
            return told
        } catch {
            let reason = "\(error)"
            if reason != told { logger.error("the log is not published", metadata: ["error": "\(reason)"]) }
            return reason
        }
    }
}
