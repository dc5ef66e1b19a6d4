import AuditModel
import Logging
import ServiceLifecycle

/// Looks for as long as the server runs whether another one has taken other keys for all that share a database.
struct TermService: Service {
    let term: SigningTerm
    let logger: Logger
    /// Waits between two looks; throws when the server ends.
    let pause: ServicePause

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var told: String?
            while !Task.isCancelled {
                do {
                    try await term.look()
                    told = nil
                } catch is CancellationError {
                    return
                } catch {
                    let reason = "\(error)"
                    if reason != told { logger.error("the shared key is in doubt", metadata: ["error": "\(reason)"]) }
                    told = reason
                }
                guard await goesOn(after: SigningTerm.pause, by: pause) else { return }
            }
        }
    }
}
