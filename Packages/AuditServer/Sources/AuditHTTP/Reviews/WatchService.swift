import AuditAdmission
import AuditKeeping
import AuditReview
import Logging
import ServiceLifecycle

/// Looks for what reviewers are alerted of, in the background for as long as the server runs.
struct WatchService: Service {
    /// How long it rests between two looks, in seconds.
    private static let restSeconds = 2

    let desk: ReviewDesk
    let quotas: QuotaBook
    let keeper: EventKeeper
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    // Nothing is raised before it is known what was raised before.
                    if try await desk.catchUp(maximumEvents: 5000) || desk.hasCaughtUp {
                        try await desk.watchLog()
                        for alert in quotas.takeConcerns() { try await desk.raise(alert) }
                        for alert in keeper.takeConcerns() { try await desk.raise(alert) }
                        try await desk.compareLog()
                        let budget = desk.settings.verifiedEventsPerSecond * Self.restSeconds
                        if budget > 0 { try await desk.verify(budget) }
                    }
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning("the watch waits for the store", metadata: ["error": "\(error)"])
                }
                do {
                    try await Task.sleep(for: .seconds(Self.restSeconds))
                } catch {
                    // Only the end of the server wakes it early.
                    return
                }
            }
        }
    }
}
