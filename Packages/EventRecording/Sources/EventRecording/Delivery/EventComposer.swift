import EventModel

/// Makes the events of submissions: combines, expands links, encodes, gives ids.
struct EventComposer: Sendable {
    /// A payload of more bytes is not copied.
    private static let largePayloadBytes = 64 << 10

    let encoder: any SnapshotEncoder
    let ids: any ObjectIdSource

    /// A scope whose events are made: what all of them have in common.
    struct Scope {
        let id: Int
        let activity: String
        let metadata: EventMetadata
        /// The boot that the monotonic clocks of the captures belong to.
        let boot: Boot
        /// When the scope was committed; nil when it was interrupted.
        let committed: EventInstant?
        let captures: ScopeCaptures
        /// Whether a link may have been followed in the scope.
        let hasFollows: Bool
        /// The id of the first event.
        let firstEvent: ObjectId
        /// What is unusual about all events.
        var marks: AuditEvent.Marks = []
    }

    /// What went wrong while the events of one scope were made.
    struct Failures {
        /// How many payloads could not be made.
        var count = 0
        /// Why the first of them could not be made.
        var first: (any Error)?
        /// Why captures could not be read back, so that their events are missing.
        var unreadable: (any Error)?
    }

    /// Makes the event of a custom submission.
    func compose(_ event: CustomEvent) -> AuditEvent {
        AuditEvent(
            id: ids.next(),
            clock: event.clock,
            activity: event.activity,
            event: event.eventType,
            data: event.data.map { Array($0.utf8) },
            metadata: event.metadata
        )
    }

    /// Makes the events of a scope, one after the other.
    ///
    /// An event whose payload cannot be made is kept and marked; the others are not affected.
    ///
    /// - Parameters:
    ///   - scope: The scope.
    ///   - scratch: Memory that is used for every payload.
    ///   - emit: Called with each event, in order, and its number within the scope; the number is nil for a write that the
    ///     realm's file names, which has an id of its own.
    /// - Returns: What could not be made.
    func compose(_ scope: Scope, scratch: inout [UInt8], emit: (AuditEvent, Int?) -> Void) -> Failures {
        let links = scope.hasFollows ? FollowedLinks(in: scope.captures) : FollowedLinks()
        var failures = Failures()
        var count = 0
        var combiner = ScopeCombiner()
        // A local function would be shorter; what it changes would be asked for at each event whether somebody else changes it, too.
        let unreadable = scope.captures.visit { capture, position in
            combiner.add(capture, at: position) { give($0, of: scope, links, &scratch, &failures, &count, emit) }
        }
        combiner.finish { give($0, of: scope, links, &scratch, &failures, &count, emit) }
        failures.unreadable = unreadable
        return failures
    }

    /// Gives out an event, unless it is none in this scope, and counts it if it is numbered.
    private func give(
        _ event: CombinedEvent,
        of scope: Scope,
        _ links: FollowedLinks,
        _ scratch: inout [UInt8],
        _ failures: inout Failures,
        _ count: inout Int,
        _ emit: (AuditEvent, Int?) -> Void
    ) {
        switch event.fate(in: scope.id) {
        case .none: break
        case .named(let id): emit(self.event(event, id, of: scope, links, &scratch, &failures), nil)
        case .numbered:
            let id = scope.firstEvent.following(count)
            emit(self.event(event, id, of: scope, links, &scratch, &failures), count)
            count += 1
        }
    }

    private func event(
        _ event: CombinedEvent,
        _ id: ObjectId,
        of scope: Scope,
        _ links: FollowedLinks,
        _ scratch: inout [UInt8],
        _ failures: inout Failures
    ) -> AuditEvent {
        scratch.removeAll(keepingCapacity: true)
        var marks = scope.marks
        do {
            try encode(event, links, into: &scratch)
        } catch {
            failures.count += 1
            if failures.first == nil { failures.first = error }
            marks.insert(.incomplete)
            scratch.removeAll(keepingCapacity: true)
            scratch.append(contentsOf: IncompletePayload.json(event, cause: error).utf8)
        }
        return AuditEvent(
            id: id,
            clock: ClockReading(
                wall: event.wall,
                monotonicNanoseconds: event.monotonicNanoseconds,
                boot: scope.boot
            ),
            activity: scope.activity,
            event: event.isWrite ? "write" : "read",
            data: Self.payload(in: &scratch),
            metadata: scope.metadata,
            scopeCommitted: scope.committed,
            marks: marks,
            sync: event.place
        )
    }

    /// Takes a payload out of the memory that is used for every one.
    ///
    /// A small one is copied, so that an event takes no more memory than its payload; a large one is given away as it is.
    private static func payload(in scratch: inout [UInt8]) -> [UInt8] {
        guard scratch.count > largePayloadBytes else { return scratch.withUnsafeBufferPointer { Array($0) } }
        defer { scratch = [] }
        return scratch
    }

    private func encode(_ event: CombinedEvent, _ links: FollowedLinks, into bytes: inout [UInt8]) throws {
        var expansion = LinkExpansion(links)
        switch event.content {
        case .object(let snapshot, let position):
            let object = expansion.expand(snapshot, readAt: position)
            try encoder.appendRead(type: snapshot.shape.name, objects: [object], to: &bytes)
        case .query(let query) where query.members.isEmpty:
            try encoder.appendSearch(type: query.shape.name, terms: query.terms ?? SearchTerms(), to: &bytes)
        case .query(let query):
            let objects = query.members.map { expansion.expand($0.snapshot, readAt: $0.position) }
            try encoder.appendRead(type: query.shape.name, objects: objects, to: &bytes)
        case .write(let write):
            try encoder.appendWrite(write.changes, to: &bytes)
        }
    }
}
