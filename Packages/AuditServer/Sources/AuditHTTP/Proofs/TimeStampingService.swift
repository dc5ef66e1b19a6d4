import EventModel
import LogPublishing
import Logging
import ServiceLifecycle

/// Has the log time-stamped by an authority for as long as the server runs; nothing waits for it.
struct TimeStampingService: Service {
    /// The checkpoint that readers are shown is the one that is time-stamped: it has the cosignatures.
    let cosigned: CosignedLog
    let stamped: StampedLog
    let asker: TimeStampAsker
    let clock: any EventClock
    let logger: Logger
    /// Waits between two looks at the log; throws when the server ends.
    let pause: ServicePause

    func run() async throws {
        await cancelWhenGracefulShutdown { await follow(asker) }
    }

    private func follow(_ asker: TimeStampAsker) async {
        var asker = asker
        var told: String?
        while !Task.isCancelled {
            let now = clock.now()
            if let shown = cosigned.shown, asker.isDue(for: shown, at: now) { await asker.ask(for: shown, at: now) }
            let concern = stamped.concern.map { "\($0)" }
            if !Task.isCancelled { tell(concern, unless: told) }
            told = concern
            guard await goesOn(after: asker.pause, by: pause) else { return }
        }
    }

    private func tell(_ concern: String?, unless told: String?) {
        guard concern != told else { return }
        if let concern {
            logger.warning("the log has no new time-stamp as it should", metadata: ["reason": "\(concern)"])
        } else {
            logger.notice("the log is time-stamped again")
        }
    }
}
