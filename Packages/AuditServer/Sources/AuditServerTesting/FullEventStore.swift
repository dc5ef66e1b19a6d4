public import AuditModel
public import EventModel

/// A store that gives back what another one has, and takes nothing more.
public struct FullEventStore: ForwardingEventStore {
    /// The other store.
    public let inner: any AuditStore

    /// Shows another store.
    public init(_ inner: any AuditStore) {
        self.inner = inner
    }

    /// Throws `unavailable`.
    public func accept(_ upload: EventUpload) async throws -> DurabilityProof {
        throw AuditServerError.unavailable(reason: "the disk is full")
    }

    /// Throws `unavailable`.
    public func extendCollection(of app: String, by columns: [String]) async throws {
        throw AuditServerError.unavailable(reason: "the disk is full")
    }
}
