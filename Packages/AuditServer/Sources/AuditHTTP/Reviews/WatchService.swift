import AuditAdmission
import AuditKeeping
import AuditReview
import EventProofs
import LogPublishing
import Logging
import ServiceLifecycle

/// Looks for what reviewers are alerted of, and checks what is stored, in the background for as long as the server runs.
struct WatchService: Service {
    /// How long it rests between two looks, in seconds.
    private static let restSeconds = 2

    let desk: ReviewDesk
    let quotas: QuotaBook
    let keeper: EventKeeper
    let publisher: LogPublisher?
    let logger: Logger
    /// Waits between two looks; throws when the server ends.
    let pause: ServicePause

    init(_ parts: ServiceParts, logger: Logger, pause: @escaping ServicePause) {
        desk = parts.desk
        quotas = parts.quotas
        keeper = parts.keeper
        publisher = parts.publisher
        self.logger = logger
        self.pause = pause
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await look()
                } catch is CancellationError {
                    break
                } catch {
                    logger.warning("the watch waits for the store", metadata: ["error": "\(error)"])
                }
                guard await goesOn(after: .seconds(Self.restSeconds), by: pause) else { break }
            }
            desk.keepChecks(isLast: true)
        }
    }

    private func look() async throws {
        // Nothing is raised before it is known what was raised before.
        guard try await desk.catchUp(maximumEvents: 5000) || desk.hasCaughtUp else { return }
        for alert in quotas.takeConcerns() { try await desk.raise(alert) }
        for alert in keeper.takeConcerns() { try await desk.raise(alert) }
        try await desk.tellPublished()
        try await desk.compareLog()
        let budget = desk.settings.verifiedEventsPerSecond * Self.restSeconds
        if budget > 0 { try await desk.verify(budget, published: publisher?.newest?.checkpoint) }
        // Behind the checks, which go on behind an entry of the log that is damaged.
        try await desk.watchLog()
    }
}
