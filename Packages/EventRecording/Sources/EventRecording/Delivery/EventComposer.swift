import EventModel

/// Makes the events of submissions: combines, expands links, encodes, gives ids.
struct EventComposer: Sendable {
    let encoder: any SnapshotEncoder
    let ids: any ObjectIdSource

    /// The payloads of one scope that could not be made.
    struct Failures {
        /// How many there are.
        var count = 0
        /// Why the first of them could not be made.
        var first: (any Error)?
    }

    /// Appends the event of a custom submission.
    func compose(_ event: CustomEvent, into events: inout [AuditEvent]) {
        events.append(
            AuditEvent(
                id: ids.next(),
                clock: event.clock,
                activity: event.activity,
                event: event.eventType,
                data: event.data.map { Array($0.utf8) },
                metadata: event.metadata
            )
        )
    }

    /// Appends the events of a scope.
    ///
    /// An event whose payload cannot be made is kept and marked; the others are not affected.
    ///
    /// - Parameters:
    ///   - scope: The scope.
    ///   - events: Where the events go.
    ///   - scratch: Memory that is used for every payload.
    /// - Returns: What could not be made.
    func compose(
        _ scope: CommittedScope,
        into events: inout [AuditEvent],
        scratch: inout [UInt8]
    ) -> Failures {
        let combined = ScopeCombiner(scope.captures)
        var failures = Failures()
        events.reserveCapacity(events.count + combined.events.count)
        for event in combined.events {
            scratch.removeAll(keepingCapacity: true)
            var marks: AuditEvent.Marks = []
            do {
                try encode(event, of: combined, into: &scratch)
            } catch {
                failures.count += 1
                if failures.first == nil { failures.first = error }
                marks = .incomplete
                scratch.removeAll(keepingCapacity: true)
                scratch.append(contentsOf: IncompletePayload.json(event, of: combined, cause: error).utf8)
            }
            events.append(
                AuditEvent(
                    id: ids.next(),
                    clock: ClockReading(
                        wall: event.wall,
                        monotonicNanoseconds: event.monotonicNanoseconds,
                        boot: scope.committed.boot
                    ),
                    activity: scope.activity,
                    event: event.isWrite ? "write" : "read",
                    // Copied out, so that an event takes no more memory than its payload.
                    data: scratch.withUnsafeBufferPointer { Array($0) },
                    metadata: scope.metadata,
                    scopeCommitted: scope.committed.wall,
                    marks: marks
                )
            )
        }
        return failures
    }

    private func encode(_ event: CombinedEvent, of scope: ScopeCombiner, into bytes: inout [UInt8]) throws {
        var expansion = LinkExpansion(scope.links)
        switch event.content {
        case .object(let snapshot, let position):
            let object = expansion.expand(snapshot, readAt: position)
            try encoder.appendRead(type: snapshot.shape.name, objects: [object], to: &bytes)
        case .query(let index):
            let query = scope.queries[index]
            let objects = query.members.map { expansion.expand($0.snapshot, readAt: $0.position) }
            try encoder.appendRead(type: query.shape.name, objects: objects, to: &bytes)
        case .write(let changes):
            try encoder.appendWrite(changes, to: &bytes)
        }
    }
}
