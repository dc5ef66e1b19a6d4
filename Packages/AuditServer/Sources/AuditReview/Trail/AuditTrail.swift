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
/// seconds. Each process writes partitions of its own, so that several servers never wait for each other. ``seal()`` closes what is open.
package final class AuditTrail: TrailRecording {
    /// The column of metadata that says who did it, so that what somebody did can be searched.
    private static let nameColumn = "name"
    /// The most characters that are kept of what was asked for.
    private static let maximumCount = 4096
    /// How long a record may wait for those before it, in nanoseconds: 5 seconds.
    private static let patience: UInt64 = 5_000_000_000

    /// A partition that is not sealed; of one whose last event may be stored or not, it is known how it would be with it and without.
    struct OpenShelf: Sendable {
        let before: TrailShelf
        let after: TrailShelf
    }

    private struct State: Sendable {
        /// What is written to.
        var shelf: TrailShelf?
        /// What is written to no more.
        var doubtful: [OpenShelf] = []
        /// What an earlier process left; nil before its file was read.
        var leftBehind: [PartitionID]?
        /// The root of the partition that was sealed last.
        var previousRoot: Digest?

        var open: [PartitionID] {
            (leftBehind ?? []) + doubtful.map(\.after.partition) + (shelf.map { [$0.partition] } ?? [])
        }
    }

    let store: any EventIngest & EventReading
    let index: any SearchFilling
    let key: SigningKey
    /// What seals the trail's partitions.
    let trailKey: DeviceKey
    /// The public keys that receipts of what an earlier process recorded may be signed with.
    let receiptKeys: [[UInt8]]
    let clock: any EventClock
    private let ids: any ObjectIdSource
    private let file: TrailFile?
    let turnstile = Turnstile()
    private let state = Mutex(State())

    /// Creates a trail that nothing is recorded in.
    ///
    /// - Parameters:
    ///   - store: Where it goes.
    ///   - index: What is told of it.
    ///   - key: The server's key, which another one is derived from for seals.
    ///   - clock: The server's clock.
    ///   - ids: Where the ids of events and partitions come from.
    ///   - earlierKeys: The public keys that signed receipts before that key; none by default.
    ///   - file: Where it is noted which partitions are open; without it, what a process leaves that dies stays open.
    package init(
        store: any EventIngest & EventReading,
        index: any SearchFilling,
        key: SigningKey,
        clock: any EventClock,
        ids: any ObjectIdSource,
        earlierKeys: [[UInt8]] = [],
        file: TrailFile? = nil
    ) {
        self.store = store
        self.index = index
        self.key = key
        self.file = file
        trailKey = key.trailKey
        receiptKeys = [key.publicKey] + earlierKeys
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
        let current = try shelf()
        let event = AuditEvent(
            id: ids.next(),
            clock: clock.now(),
            activity: activity,
            event: TrailEvent.event,
            data: data,
            metadata: metadata
        )
        let extended = current.adding(event)
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
            state.withLock { $0.shelf = nil }
            reopen(OpenShelf(before: current, after: extended))
            throw error
        }
        state.withLock { $0.shelf = extended }
        index.didStore(current.partition)
        let address = EventAddress(partition: current.partition, sequence: extended.frontier.count)
        return EntryPlace(time: event.timestamp, id: event.id, address: address)
    }

    // MARK: - What is open

    /// Returns the partition that is written to, or begins one and notes that it is open.
    private func shelf() throws(AuditServerError) -> TrailShelf {
        if let shelf = state.withLock({ $0.shelf }) { return shelf }
        let new = TrailShelf(PartitionID(prefix: TrailEvent.prefix, id: ids.next()))
        _ = try leftBehind()
        try file?.write(state.withLock { $0.open } + [new.partition])
        state.withLock { $0.shelf = new }
        return new
    }

    /// The partitions that an earlier process left.
    func leftBehind() throws(AuditServerError) -> [PartitionID] {
        if let known = state.withLock({ $0.leftBehind }) { return known }
        let read = try file?.partitions() ?? []
        state.withLock { $0.leftBehind = read }
        return read
    }

    /// Forgets a partition of an earlier process, which is sealed or was never stored.
    func settle(_ partition: PartitionID) {
        state.withLock { $0.leftBehind?.removeAll { $0 == partition } }
    }

    /// Hands out what is open in this process, of which nothing is written to any more.
    func takeOpen() -> [OpenShelf] {
        state.withLock { state in
            let open = state.doubtful + (state.shelf.map { [OpenShelf(before: $0, after: $0)] } ?? [])
            (state.doubtful, state.shelf) = ([], nil)
            return open
        }
    }

    /// Takes back what could not be sealed.
    func reopen(_ open: OpenShelf) {
        state.withLock { state in
            state.doubtful.append(open)
            if state.doubtful.count > TrailFile.maximumPartitions { state.doubtful.removeFirst() }
        }
    }

    /// The root of the partition that this process sealed last.
    var previousRoot: Digest? { state.withLock { $0.previousRoot } }

    /// Notes what was sealed last.
    func didSeal(_ shelf: TrailShelf) {
        state.withLock { $0.previousRoot = shelf.frontier.root }
    }

    /// Notes in the file what is open.
    func writeFile() throws(AuditServerError) {
        guard let file else { return }
        let open = state.withLock { $0.open }
        if try file.partitions() != open { try file.write(open) }
    }
}
