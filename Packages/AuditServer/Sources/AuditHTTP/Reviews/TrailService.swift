import AuditModel
import AuditReview
import EventModel
import EventProofs
import Logging
import ServiceLifecycle

/// Seals what auditors and administrators did, every quarter of an hour and when the server ends, so that it is in the log as well.
///
/// A server with a data folder also records that it starts and that it ends: a start without an end before it is one of a process that died.
struct TrailService: Service {
    /// How long what they did stays unsealed at most, in seconds.
    private static let seconds = 900

    let trail: AuditTrail
    /// Whether the start and the end of the server are recorded.
    let recordsRuns: Bool
    /// What states that the server's keys took the place of others; nil for keys that were the first.
    let succession: KeySuccession?
    let logger: Logger
    /// Waits between two seals; throws when the server ends.
    let pause: ServicePause

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // What an earlier process left.
            await seal()
            await record("server started")
            // With each start, so that a process that died before it was sealed leaves nothing out.
            if let succession {
                await record(
                    "server keys followed",
                    about: Hexadecimal.text(succession.successor.receipts),
                    succession.text
                )
            }
            while !Task.isCancelled {
                guard await goesOn(after: .seconds(Self.seconds), by: pause) else { break }
                await seal()
            }
            // Not as a part of this task, whose work is over.
            let last = self
            await Task {
                await last.record("server ended")
                await last.seal()
            }
            .value
        }
    }

    private func record(_ activity: String, about subject: String? = nil, _ statement: String? = nil) async {
        guard recordsRuns else { return }
        do {
            try await trail.record(activity, about: subject, because: statement, by: .server)
        } catch {
            logger.error("what the server does is not recorded", metadata: ["error": "\(error)"])
        }
    }

    private func seal() async {
        do {
            try await trail.seal()
        } catch is CancellationError {
            return
        } catch {
            logger.error("the trail of auditors is not sealed", metadata: ["error": "\(error)"])
        }
    }
}
