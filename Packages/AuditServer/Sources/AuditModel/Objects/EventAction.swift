package import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
package import Foundation
#endif

/// What an event did, in words that the formats of others have.
package enum EventAction: Sendable, Hashable {
    /// One object was read.
    case read
    /// Several objects were read at once, or none was found.
    case query
    /// Objects were inserted and nothing else.
    case create
    /// Objects were changed and nothing else.
    case update
    /// Objects were deleted and nothing else.
    case delete
    /// One write did several of these.
    case write
    /// An auditor did something with the server.
    case audit
    /// Whatever the app says.
    case custom
    /// The event is damaged, and nobody knows.
    case unknown

    /// Finds out what an event did.
    ///
    /// - Complexity: O(*n*) in the bytes of the payload.
    package init(_ stored: StoredEvent) {
        guard let event = stored.event else {
            self = .unknown
            return
        }
        switch event.event {
        case "read": self = PayloadCounts.of(event).read == 1 ? .read : .query
        case "write": self = Self.of(PayloadCounts.of(event))
        case TrailEvent.event where stored.owner?.app == TrailEvent.app: self = .audit
        default: self = .custom
        }
    }

    private static func of(_ counts: PayloadCounts) -> EventAction {
        switch (counts.inserted > 0, counts.modified > 0, counts.deleted > 0) {
        case (true, false, false): .create
        case (false, true, false): .update
        case (false, false, true): .delete
        default: .write
        }
    }
}

/// How many objects a payload lists as what.
package struct PayloadCounts: Sendable, Hashable {
    /// The objects that were read; nil when the payload is none of a read.
    package var read: Int?
    /// The objects that were inserted.
    package var inserted = 0
    /// The objects that were changed.
    package var modified = 0
    /// The objects that were deleted.
    package var deleted = 0

    /// Counts the objects of an event; a payload that is not JSON has none.
    package static func of(_ event: AuditEvent) -> PayloadCounts {
        event.data?
            .withUnsafeBufferPointer { bytes in
                var scan = PayloadScan(bytes)
                return scan.counts()
            } ?? PayloadCounts()
    }
}

/// What an auditor did, out of the payload that `AuditTrail` writes.
package struct AuditedRequest: Decodable {
    /// What with.
    package let about: String?
    /// The address that the request came from.
    package let from: String?
    /// Why.
    package let reason: String?
    /// The id of the token.
    package let token: String?

    /// Reads the payload of an event; nil when it is another one.
    package init?(_ event: AuditEvent?) {
        guard let data = event?.data else { return nil }
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(data))
        } catch {
            // What somebody changed is exported as it is, without what it no longer says.
            return nil
        }
    }
}
