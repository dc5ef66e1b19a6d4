package import AuditModel
import EventModel
import EventProofs

extension ReviewDesk {
    /// Reads registrations of keys from the trail.
    ///
    /// - Parameter places: Where they lie.
    /// - Returns: Those that are what was written; a place that holds something else is left out.
    /// - Throws: `AuditServerError` when the store cannot be read.
    package func registrations(at places: [EntryPlace]) async throws -> [EventAddress: KeyRegistration] {
        var found: [EventAddress: KeyRegistration] = [:]
        for stored in try await events.events(at: places.map(\.address)) {
            guard let event = stored.event, MerkleHash.leaf(event.encoded) == stored.leaf,
                case .registration(let registration) = AuditTrail.entry(in: event)
            else { continue }
            found[EventAddress(partition: stored.partition, sequence: stored.sequence)] = registration
        }
        return found
    }
}
