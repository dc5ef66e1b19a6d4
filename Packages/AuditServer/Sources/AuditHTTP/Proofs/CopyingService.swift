import LogPublishing
import Logging
import ServiceLifecycle

/// Copies the published log into a bucket for as long as the server runs; nothing waits for it.
struct CopyingService: Service {
    let copied: CopiedLog
    let copier: LogCopier
    let logger: Logger
    /// Waits between two looks at the log; throws when the server ends.
    let pause: ServicePause

    func run() async throws {
        await cancelWhenGracefulShutdown { await follow(copier) }
    }

    private func follow(_ copier: LogCopier) async {
        var copier = copier
        var told: LogBucketConcern?
        while !Task.isCancelled {
            if copier.isDue { await copier.copy() }
            let concern = copied.concern
            if !Task.isCancelled { tell(concern, unless: told) }
            told = concern
            guard await goesOn(after: copier.pause, by: pause) else { return }
        }
    }

    private func tell(_ concern: LogBucketConcern?, unless told: LogBucketConcern?) {
        guard concern != told else { return }
        guard let concern else { return logger.notice("the log is copied into its bucket again") }
        let metadata: Logger.Metadata = ["reason": "\(concern)"]
        if concern.isContradiction {
            logger.critical("the bucket of the log has something else", metadata: metadata)
        } else {
            logger.warning("the log is not copied into its bucket", metadata: metadata)
        }
    }
}
