import EventModel
import EventProofs
import LogPublishing
import Logging
import ServiceLifecycle

/// Asks the witnesses of the log for cosignatures for as long as the server runs, each one by itself.
///
/// Nothing waits for it: uploads are acknowledged, and checkpoints are published, whether witnesses answer or not.
struct WitnessingService: Service {
    let publisher: LogPublisher
    let cosigned: CosignedLog
    let askers: [WitnessAsker]
    let clock: any EventClock
    let logger: Logger
    /// Waits between two looks at the log; throws when the server ends.
    let pause: ServicePause

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                for asker in askers { group.addTask { await follow(asker) } }
            }
        }
    }

    private func follow(_ asker: WitnessAsker) async {
        var asker = asker
        var told: WitnessConcern?
        while !Task.isCancelled {
            let now = clock.now()
            if let newest = publisher.newest, asker.isDue(for: newest, at: now) {
                let concern = await asker.ask(for: newest, of: cosigned, at: now)
                if !Task.isCancelled, concern != told { tell(concern, asker.address) }
                told = concern
            }
            guard await goesOn(after: asker.pause, by: pause) else { return }
        }
    }

    private func tell(_ concern: WitnessConcern?, _ address: WitnessAddress) {
        let witness: Logger.Metadata = ["witness": "\(address.key.name)"]
        guard let concern else {
            return logger.notice("a witness cosigns the log again", metadata: witness)
        }
        let metadata = witness.merging(["reason": "the witness \(concern)"]) { $1 }
        if concern.isContradiction {
            logger.critical("a witness has seen another log", metadata: metadata)
        } else {
            logger.warning("a witness does not cosign the log", metadata: metadata)
        }
    }
}
