import AuditModel
import AuditServerTesting
import EventModel
import Synchronization

/// A store that stores, or does not, and says in both cases that it does not know.
final class DoubtfulStore: ForwardingEventStore {
    enum Mode: Sendable {
        case works, failsBefore, failsAfter
    }

    let inner: any AuditStore
    private let state = Mutex(Mode.works)

    init(_ inner: any AuditStore) { self.inner = inner }

    var mode: Mode {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func accept(_ upload: EventUpload) async throws -> DurabilityProof {
        let unknown = AuditServerError.unavailable(reason: "nobody confirmed it")
        switch mode {
        case .works: return try await inner.accept(upload)
        case .failsBefore: throw unknown
        case .failsAfter:
            _ = try await inner.accept(upload)
            throw unknown
        }
    }
}
