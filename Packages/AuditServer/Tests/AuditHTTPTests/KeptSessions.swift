import Synchronization

@testable import AuditAccounts

/// Sessions that outlive the server that began them.
final class KeptSessions: Sendable {
    private let sessions = Mutex<[Session]>([])

    var all: [Session] { sessions.withLock(\.self) }

    func keep(_ session: Session) { sessions.withLock { $0.append(session) } }
}
