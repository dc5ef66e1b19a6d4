import AuditModel
import AuditReview
import EventModel
import LogPublishing
import Logging
import ServiceLifecycle

/// Publishes the log of sealed partitions for as long as the server runs: what was sealed within a second is one checkpoint.
struct PublishingService: Service {
    let publisher: LogPublisher
    /// What witnesses have cosigned of it.
    let cosigned: CosignedLog
    let log: any SealLog
    let clock: any EventClock
    /// Who tells others of what is wrong.
    let desk: ReviewDesk
    let logger: Logger
    /// Waits between two runs; throws when the server ends.
    let pause: ServicePause

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var told: String?
            var file = CosignedFile(in: publisher.folder)
            while !Task.isCancelled {
                (file, told) = await publish(file, unless: told)
                guard await goesOn(after: .seconds(1), by: pause) else { break }
            }
            // What was sealed last; not as a part of this task, whose work is over.
            let (last, kept, before) = (self, file, told)
            _ = await Task { await last.publish(kept, unless: before) }.value
        }
    }

    /// Publishes once, keeps what was cosigned, and tells of what is wrong unless it was told before.
    ///
    /// - Returns: The file of what was cosigned, and what is wrong; nil when nothing is.
    private func publish(_ file: CosignedFile, unless told: String?) async -> (CosignedFile, String?) {
        var file = file
        do {
            // Before anything is signed that contradicts what witnesses have cosigned.
            try await file.restore(cosigned, of: log, at: clock.now())
            if let newest = try await publisher.publish() {
                cosigned.advance(to: newest, at: clock.now())
                try file.save(cosigned)
            }
            desk.note(nil)
            return (file, nil)
        } catch is CancellationError {
            return (file, told)
        } catch {
            // What was published is served on: whoever saw it finds out by it what the database lacks.
            if let newest = publisher.newest { cosigned.advance(to: newest, at: clock.now()) }
            if let error = error as? LogPublishingError { desk.note(error) }
            let reason = "\(error)"
            if reason != told { logger.error("the log is not published", metadata: ["error": "\(reason)"]) }
            return (file, reason)
        }
    }
}

extension ReviewDesk {
    /// Writes down why the log is not published; nil when it is.
    fileprivate func note(_ error: LogPublishingError?) {
        guard let error else { return notePublished(nil, "") }
        switch error {
        // One trouble, however many entries come behind it.
        case .shortened(let published, _): notePublished("shortened \(published)", "\(error)")
        case .rewritten(let size): notePublished("rewritten \(size)", "\(error)")
        case .contradictory: notePublished("contradictory", "\(error)")
        case .foreign: notePublished("foreign", "\(error)")
        case .cosignedElsewhere(let size): notePublished("cosigned \(size)", "\(error)")
        // Where the folder is stands in the log of the server.
        default:
            notePublished("unusable", "The folder of the published log cannot be used; the server's own log says why.")
        }
    }
}
