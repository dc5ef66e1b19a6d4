import AuditKeeping
import AuditModel
import EventModel
import Logging
import ServiceLifecycle

/// Lets events, the logs of realms and sessions expire in the background for as long as the server runs, and goes on with erasures that were cut off.
struct KeepingService: Service {
    let keeper: EventKeeper
    let sessions: any SessionStore
    let logger: Logger
    /// Waits between two looks; throws when the server ends.
    let pause: ServicePause

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isDone = await attempt { try await keeper.resume() } != nil
            // A server that has just started has other things to do.
            var rest = Duration.seconds(60)
            while !Task.isCancelled {
                guard await goesOn(after: rest, by: pause) else { return }
                if !isDone { isDone = await attempt { try await keeper.resume() } != nil }
                let run = await attempt { try await keeper.expire(by: .server) }
                let areShort = await attempt("logs of realms wait to be shortened") {
                    try await keeper.shortenLogs(by: .server)
                }
                rest = (run?.isDone ?? true) && (areShort ?? true) ? .seconds(3600) : .seconds(1)
                guard let run else { continue }
                if run.clock.isBelieved {
                    // By the same clock, or a clock that is wrong for a moment would sign everybody out for good.
                    _ = await attempt { try await sessions.removeSessions(expiredBy: keeper.clock.now().wall) }
                } else {
                    logger.error("nothing expires", metadata: ["reason": "\(run.clock.doubt)"])
                }
            }
        }
    }

    /// Runs something that is tried again later when it fails.
    private func attempt<T>(
        _ waiting: Logger.Message = "events wait to be erased",
        _ body: () async throws -> T
    ) async -> T? {
        do {
            return try await body()
        } catch {
            if !(error is CancellationError) {
                logger.warning(waiting, metadata: ["error": "\(error)"])
            }
            return nil
        }
    }
}
