import EventModel

/// All that changes in a recorder, guarded by its one lock.
///
/// Nothing here calls out. What an operation removes is returned, so that it is freed after the lock is given back.
struct RecordingState: Sendable {
    private var log = CaptureLog()
    private var capturedTargets = CapturedTargets()
    /// The one ring that reads may be added to; nil when there is none.
    private var openRing: ReadRing?
    /// The ring of the instance that reported a read last.
    private var lastRing: ObjectIdentifier?
    private var scopes: [Int: ActiveScope] = [:]
    private var lastScopeID = 0
    private var metadata: EventMetadata
    private var metadataOfLastOpening: EventMetadata
    private var submissions: [Submission] = []
    private var isProcessingRequested = false
    var statistics = RecordingStatistics()
    var journal: JournalProgress
    private let isJournaling: Bool
    /// Committed scopes whose events are not stored yet, as long as a journal may have to hold their captures.
    private var unstored: [Int: JournaledScope] = [:]
    private var followCount = 0
    var notes = NoteProgress()
    var root = NoteRoot()
    /// Where the realm was in sync at the versions that its instances read last; each names its own again for a new scope.
    private var places = KnownPlaces(capacity: 8)
    /// Whether the places have to be captured once more before anything else: a scope began that has not seen them.
    private var owesPlaces = false

    init(metadata: EventMetadata, isJournaling: Bool) {
        journal = JournalProgress(isEnabled: isJournaling)
        self.isJournaling = isJournaling
        self.metadata = metadata
        metadataOfLastOpening = metadata
    }

    // MARK: - Scopes

    /// A scope that captures go to.
    private struct ActiveScope {
        let activity: String
        let metadata: EventMetadata
        let start: Int
        /// How many links were followed before the scope began.
        let followsBefore: Int
        /// Whether the realm's file may hold writes of it.
        var isNoted = false

        /// What a journal must know of it.
        func journaled(id: Int) -> JournaledScope {
            JournaledScope(id: id, activity: activity, metadata: metadata, start: start, isNoted: isNoted)
        }
    }

    /// Begins a scope and returns its id, which is never 0.
    mutating func beginScope(activity: String) -> Int {
        if places.isEmpty {
            takeReads()
        } else {
            // The next read reports itself, and the places come before it.
            closeRing()
            owesPlaces = true
        }
        lastScopeID += 1
        scopes[lastScopeID] = ActiveScope(
            activity: activity,
            metadata: metadata,
            start: log.end,
            followsBefore: followCount
        )
        statistics.scopesBegun += 1
        return lastScopeID
    }

    func isActive(_ id: Int) -> Bool { scopes[id] != nil }

    /// Ends a scope and returns what it captured; nil when it is not active.
    mutating func commitScope(_ id: Int, at reading: ClockReading) -> (CommittedScope, freed: [CaptureSegment])? {
        takeReads()
        guard let scope = scopes.removeValue(forKey: id) else { return nil }
        statistics.scopesCommitted += 1
        let committed = CommittedScope(
            id: id,
            activity: scope.activity,
            metadata: scope.metadata,
            committed: reading,
            positions: scope.start..<log.end,
            captures: log.takeStretch(from: scope.start),
            hasFollows: followCount > scope.followsBefore,
            isNoted: scope.isNoted
        )
        if isJournaling, scope.start < log.end || scope.isNoted {
            unstored[id] = scope.journaled(id: id)
            unstored[id]?.end = JournaledScope.End(position: log.end, instant: reading.wall)
            journal.didCommit()
        }
        return (committed, freed: releaseUnneeded())
    }

    /// Ends a scope and forgets what only it captured; nil when it is not active.
    mutating func cancelScope(_ id: Int) -> (activity: String, isNoted: Bool, freed: [CaptureSegment])? {
        takeReads()
        guard let scope = scopes.removeValue(forKey: id) else { return nil }
        statistics.scopesCancelled += 1
        return (scope.activity, scope.isNoted, freed: releaseUnneeded())
    }

    private mutating func releaseUnneeded() -> [CaptureSegment] {
        if scopes.isEmpty {
            closeRing()
            capturedTargets.removeAll()
        }
        if scopes.isEmpty, unstored.isEmpty { journal.didDropAll() }
        return log.removeAll(before: firstNeeded)
    }

    /// The position of the first capture that a scope needs.
    private var firstNeeded: Int {
        let active = scopes.values.lazy.map(\.start).min() ?? log.end
        return unstored.isEmpty ? active : min(active, unstored.values.lazy.map(\.start).min() ?? active)
    }

    // MARK: - Journal

    /// Takes the captures that are not journalled yet.
    ///
    /// - Parameters:
    ///   - now: The monotonic clock in nanoseconds.
    ///   - isForced: Whether also those are taken that are not old, if a scope that is still active needs them.
    /// - Returns: The captures, or when there will be old ones.
    mutating func takeUnwritten(now: UInt64, isForced: Bool) -> Unwritten {
        // The next read reports itself, and has a timer set if there is none.
        closeRing()
        journal.willWrite()
        let captures = log.takeStretch(from: max(journal.written, firstNeeded))
        guard let first = captures.firstCapture else {
            guard journal.hasUnwrittenCommit, !unstored.isEmpty else {
                journal.didFindNothing()
                return .nothing
            }
            return .write(unwritten(captures))
        }
        let due = first.monotonicNanoseconds + JournalProgress.maximumDelay
        // What only committed scopes need is being stored already: to journal it, too, would hold that up for nothing. If it
        // is still not stored when it has become old, it is journalled all the same.
        if !isForced || scopes.isEmpty, now < due { return journal.takeTimer() ? .later(due - now) : .nothing }
        return .write(unwritten(captures))
    }

    private mutating func unwritten(_ captures: CaptureStretch) -> UnwrittenCaptures {
        journal.isOpen = true
        return UnwrittenCaptures(
            scopes: scopes.map { $1.journaled(id: $0) } + unstored.values,
            captures: captures,
            end: log.end,
            capturedBytes: journal.capturedBytes
        )
    }

    /// Notes what was journalled, and drops it from memory when that holds too much.
    mutating func didWrite(
        through position: Int,
        bytes: Int?
    ) -> (setsTimer: Bool, isFirstFailure: Bool, freed: [CaptureSegment]) {
        let wasFailing = journal.isFailing
        let drops = journal.didWrite(through: position, bytes: bytes)
        let freed = drops ? dropWritten() : []
        return (journal.takeTimer(), journal.isFailing && !wasFailing, freed)
    }

    /// Removes the captures from memory that are journalled.
    mutating func dropWritten() -> [CaptureSegment] {
        log.removeAll(before: journal.written)
    }

    /// Notes the ids that the events of a committed scope will have.
    ///
    /// - Returns: What a journal must know of the scope; nil when there is none.
    mutating func willStore(_ id: Int, firstEvent: ObjectId) -> JournaledScope? {
        unstored[id]?.firstEvent = firstEvent
        return unstored[id]
    }

    /// Notes how far the events of committed scopes are stored.
    ///
    /// - Returns: What a journal must know of the scopes.
    mutating func didStore(_ progress: [(id: Int, stored: StoredProgress)]) -> [JournaledScope] {
        progress.compactMap { id, stored in
            unstored[id]?.stored = stored
            return unstored[id]
        }
    }

    /// Releases the captures of scopes of which nothing is left to store.
    mutating func forgetScopes(_ ids: [Int]) -> [CaptureSegment] {
        for id in ids { unstored[id] = nil }
        notes.didForget(ids)
        return releaseUnneeded()
    }

    // MARK: - Notes

    /// The active scopes, which the note of a write must name, and the position that the write will not come before.
    ///
    /// Whoever ends one of them knows from now on that there may be a note.
    mutating func scopesToNote() -> (scopes: [JournaledScope], position: Int) {
        takeReads()
        for id in scopes.keys { scopes[id]?.isNoted = true }
        return (scopes.map { $1.journaled(id: $0) }.sorted { $0.id < $1.id }, log.end)
    }

    /// Notes that the note of the write that is captured next is durable.
    ///
    /// - Returns: Whether the journal must be synced, so that the writes need not stay in the realm's file.
    mutating func didKeepNote(_ note: WriteNote, _ key: Int64) -> Bool {
        takeReads()
        let open = note.events.map(\.scope).filter { scopes[$0] != nil || unstored[$0] != nil }
        return notes.didKeep(note, key, at: log.end, of: open)
    }

    // MARK: - Captures

    /// Appends a read, unless the last scope ended meanwhile.
    ///
    /// - Returns: Whether the journal must be seen to.
    @inline(__always)
    mutating func append(_ snapshot: ObjectSnapshot, at reading: ClockReading) -> Bool {
        takeReads()
        givePlaces(at: reading)
        return keep(snapshot, at: reading)
    }

    /// Appends a read that a ring did not take, unless the last scope ended meanwhile.
    ///
    /// The ring is opened if the read before came from the same instance: where several take turns, each read is appended here, which
    /// costs less than to hand the right to a ring to and fro.
    ///
    /// - Returns: Whether the journal must be seen to.
    mutating func append(_ snapshot: ObjectSnapshot, from ring: ReadRing, at reading: ClockReading) -> Bool {
        if openRing === ring { takeReads() } else { closeRing() }
        let isTaken = ring.hasTakenLast()
        guard !scopes.isEmpty else { return false }
        givePlaces(at: reading)
        if !isTaken { _ = keep(snapshot, at: reading) }
        if lastRing == ObjectIdentifier(ring) {
            ring.open()
            openRing = ring
        }
        lastRing = ObjectIdentifier(ring)
        return journal.isDue
    }

    @inline(__always)
    private mutating func keep(_ snapshot: ObjectSnapshot, at reading: ClockReading) -> Bool {
        guard !scopes.isEmpty else { return false }
        log.append(snapshot, at: reading)
        return journal.didCapture(byteCount: snapshot.byteCount)
    }

    /// Appends what is in the open ring: what comes next was captured later.
    private mutating func takeReads() {
        guard let openRing else { return }
        openRing.take { read, chunk in keep(read, in: chunk) }
    }

    /// Appends what is in the open ring, and lets each instance report its reads again.
    private mutating func closeRing() {
        guard let ring = openRing else { return }
        openRing = nil
        lastRing = nil
        ring.close { read, chunk in keep(read, in: chunk) }
    }

    @inline(__always)
    private mutating func keep(_ read: ReadRing.Read, in chunk: SnapshotChunk) {
        log.append(read, in: chunk)
        journal.didCapture(byteCount: read.byteCount)
    }

    /// Appends a capture of another kind, unless the last scope ended meanwhile.
    ///
    /// - Parameters:
    ///   - content: The capture.
    ///   - byteCount: How many bytes of rows it keeps in memory, about.
    ///   - reading: The clocks.
    /// - Returns: Whether the journal must be seen to.
    mutating func append(_ content: Capture.Content, byteCount: Int, at reading: ClockReading) -> Bool {
        takeReads()
        guard !scopes.isEmpty else { return false }
        givePlaces(at: reading)
        if case .follow = content { followCount += 1 }
        log.append(content, at: reading)
        return journal.didCapture(byteCount: byteCount)
    }

    /// Notes where the realm was in sync at a version, before anything that was read at it.
    mutating func note(_ version: PlacedVersion, at reading: ClockReading) {
        guard places.note(version), !scopes.isEmpty, !owesPlaces else { return }
        takeReads()
        log.append(.place(version), at: reading)
    }

    /// Captures the places that a scope needs which began since the last capture.
    @inline(__always)
    private mutating func givePlaces(at reading: ClockReading) {
        if owesPlaces, !scopes.isEmpty { capturePlaces(at: reading) }
    }

    @inline(never)
    private mutating func capturePlaces(at reading: ClockReading) {
        owesPlaces = false
        for version in places.versions { log.append(.place(version), at: reading) }
    }

    /// The targets of a property that was followed before, or nil.
    func targets(of origin: LinkOrigin) -> [ObjectSnapshot]? { capturedTargets[origin] }

    /// Keeps the targets of a property for the next step along it.
    mutating func keepTargets(_ targets: [ObjectSnapshot], of origin: LinkOrigin) {
        guard !scopes.isEmpty else { return }
        capturedTargets.insert(targets, for: origin)
    }

    // MARK: - Metadata

    /// The metadata of what begins now.
    var currentMetadata: EventMetadata { metadata }

    mutating func replaceMetadata(_ metadata: EventMetadata) {
        self.metadata = metadata
    }

    /// Takes over the metadata of an opening, if it differs from that of the opening before.
    mutating func didReopen(with metadata: EventMetadata) {
        guard metadata != metadataOfLastOpening else { return }
        metadataOfLastOpening = metadata
        self.metadata = metadata
    }

    // MARK: - Submissions

    /// Queues a submission.
    ///
    /// - Returns: Whether the background queue must be asked to process it; false when that is on its way.
    mutating func submit(_ submission: Submission) -> Bool {
        submissions.append(submission)
        defer { isProcessingRequested = true }
        return !isProcessingRequested
    }

    /// Takes all that waits; an empty answer means that the next submission must ask again.
    mutating func takeSubmissions() -> [Submission] {
        let taken = submissions
        submissions = []
        isProcessingRequested = !taken.isEmpty
        return taken
    }
}
