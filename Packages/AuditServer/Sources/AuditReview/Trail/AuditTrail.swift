package import AuditModel
package import EventModel
import EventProofs
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
package import Foundation
#endif

/// Records what auditors and administrators do, as events in partitions of the server's own.
///
/// What cannot be recorded is not answered: ``record(_:about:by:)`` returns after the event is durable, or throws within
/// seconds. Each process writes partitions of its own, so that several servers never wait for each other.
package final class AuditTrail: TrailRecording {
    /// The column of metadata that says who did it, so that what somebody did can be searched.
    private static let nameColumn = "name"
    /// The most characters that are kept of what was asked for.
    private static let maximumCount = 4096
    /// How long a record may wait for those before it, in nanoseconds: 5 seconds.
    private static let patience: UInt64 = 5_000_000_000

    private struct Shelf {
        let partition: PartitionID
        var frontier = MerkleFrontier()
    }

    private let store: any EventIngest
    private let index: any SearchFilling
    private let key: SigningKey
    private let clock: any EventClock
    private let ids: any ObjectIdSource
    private let turnstile = Turnstile()
    private let shelf = Mutex<Shelf?>(nil)

    package init(
        store: any EventIngest,
        index: any SearchFilling,
        key: SigningKey,
        clock: any EventClock,
        ids: any ObjectIdSource
    ) {
        self.store = store
        self.index = index
        self.key = key
        self.clock = clock
        self.ids = ids
    }

    private struct Payload: Encodable {
        let about: String?
        let from: String
        /// The role of who did it.
        let role: String?
        /// Why, in the words of who did it.
        let reason: String?
        /// The id of the token; nil of the one in the server's data folder.
        let token: String?
        /// What is kept of it, such as a note.
        var written: ReviewEntry?
    }

    private struct Written: Decodable {
        let written: ReviewEntry?
    }

    /// Records what somebody does, or the server itself.
    package func record(
        _ activity: String,
        about subject: String?,
        because reason: String?,
        by actor: TrailActor
    ) async throws {
        let payload = Payload(
            about: subject.map { String($0.prefix(Self.maximumCount)) },
            from: actor.address,
            role: actor.role,
            reason: reason.map { String($0.prefix(Self.maximumCount)) },
            token: actor.tokenID
        )
        _ = try await write(activity, payload, by: actor)
    }

    /// Records what an auditor or the server does together with what is kept of it, and returns when that is durable.
    ///
    /// - Parameters:
    ///   - entry: What is kept.
    ///   - subject: What it is about, in words.
    ///   - reason: Why, where a reason is asked for.
    ///   - person: Who does it; nil for the server.
    /// - Returns: Where the event lies.
    /// - Throws: `unavailable` when the storage fails.
    package func record(
        _ entry: ReviewEntry,
        about subject: String?,
        because reason: String? = nil,
        by person: TrailActor?
    ) async throws -> EntryPlace {
        let actor = person ?? .server
        let payload = Payload(
            about: subject.map { String($0.prefix(Self.maximumCount)) },
            from: person == nil ? actor.name : actor.address,
            role: actor.role,
            reason: reason.map { String($0.prefix(Self.maximumCount)) },
            token: actor.tokenID,
            written: entry
        )
        return try await write(entry.activity.rawValue, payload, by: actor)
    }

    /// Returns what is kept of an event of the trail; nil when nothing is, or not by this version.
    package static func entry(in event: AuditEvent) -> ReviewEntry? {
        guard event.event == TrailEvent.event, ReviewEntry.Activity(rawValue: event.activity) != nil,
            let data = event.data
        else { return nil }
        // What a later version writes is none of this one's.
        return try? JSONDecoder().decode(Written.self, from: Data(data)).written
    }

    private func write(_ activity: String, _ payload: Payload, by actor: TrailActor) async throws -> EntryPlace {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = Array(try encoder.encode(payload))
        let metadata = try EventMetadata([Self.nameColumn: actor.name])
        let start = clock.now().monotonicNanoseconds
        do {
            return try await turnstile.pass {
                guard clock.now().monotonicNanoseconds < start + Self.patience else {
                    throw AuditServerError.unavailable(reason: "too many records wait for the store")
                }
                return try await append(activity, data, metadata)
            }
        } catch AuditServerError.unavailable(let reason) {
            throw AuditServerError.unavailable(reason: "what is asked for is recorded first, and cannot be: \(reason)")
        }
    }

    private func append(_ activity: String, _ data: [UInt8], _ metadata: EventMetadata) async throws -> EntryPlace {
        let current = shelf.withLock { $0 } ?? Shelf(partition: PartitionID(prefix: TrailEvent.prefix, id: ids.next()))
        let event = AuditEvent(
            id: ids.next(),
            clock: clock.now(),
            activity: activity,
            event: TrailEvent.event,
            data: data,
            metadata: metadata
        )
        var extended = current
        extended.frontier.append(MerkleHash.leaf(event.encoded))
        let stretch = PartitionStretch(
            partition: current.partition,
            firstSequence: extended.frontier.count,
            events: EncodedEvents([event]),
            root: extended.frontier.root,
            seal: nil
        )
        do {
            let upload = try EventUpload(
                stretch,
                owner: TrailEvent.owner,
                received: clock.now().wall,
                signedBy: key,
                extendsSchema: true
            )
            _ = try await store.record(upload)
        } catch {
            // Whether it was stored is not known, so that the next event starts a partition that it cannot contradict.
            shelf.withLock { $0 = nil }
            throw error
        }
        shelf.withLock { $0 = extended }
        index.didStore(current.partition)
        let address = EventAddress(partition: current.partition, sequence: extended.frontier.count)
        return EntryPlace(time: event.timestamp, id: event.id, address: address)
    }
}
