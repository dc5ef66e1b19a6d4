import EventModel

/// All that changes in a recorder, guarded by its one lock.
///
/// Nothing here calls out. What an operation removes is returned, so that it is freed after the lock is given back.
struct RecordingState: Sendable {
    private var log = CaptureLog()
    private var capturedTargets = CapturedTargets()
    private var scopes: [Int: ActiveScope] = [:]
    private var lastScopeID = 0
    private var metadata: EventMetadata
    private var metadataOfLastOpening: EventMetadata
    private var submissions: [Submission] = []
    private var isProcessingRequested = false
    var statistics = RecordingStatistics()

    init(metadata: EventMetadata) {
        self.metadata = metadata
        metadataOfLastOpening = metadata
    }

    // MARK: - Scopes

    /// A scope that captures go to.
    private struct ActiveScope {
        let activity: String
        let metadata: EventMetadata
        let start: Int
    }

    /// Begins a scope and returns its id, which is never 0.
    mutating func beginScope(activity: String) -> Int {
        lastScopeID += 1
        scopes[lastScopeID] = ActiveScope(activity: activity, metadata: metadata, start: log.end)
        statistics.scopesBegun += 1
        return lastScopeID
    }

    func isActive(_ id: Int) -> Bool { scopes[id] != nil }

    /// Ends a scope and returns what it captured; nil when it is not active.
    mutating func commitScope(_ id: Int, at reading: ClockReading) -> (CommittedScope, freed: [CaptureSegment])? {
        guard let scope = scopes.removeValue(forKey: id) else { return nil }
        statistics.scopesCommitted += 1
        let committed = CommittedScope(
            id: id,
            activity: scope.activity,
            metadata: scope.metadata,
            committed: reading,
            captures: log.takeStretch(from: scope.start)
        )
        return (committed, freed: releaseUnneeded())
    }

    /// Ends a scope and forgets what only it captured; nil when it is not active.
    mutating func cancelScope(_ id: Int) -> (activity: String, freed: [CaptureSegment])? {
        guard let scope = scopes.removeValue(forKey: id) else { return nil }
        statistics.scopesCancelled += 1
        return (scope.activity, freed: releaseUnneeded())
    }

    private mutating func releaseUnneeded() -> [CaptureSegment] {
        if scopes.isEmpty { capturedTargets.removeAll() }
        return log.removeAll(before: scopes.values.lazy.map(\.start).min() ?? log.end)
    }

    // MARK: - Captures

    /// Appends a read, unless the last scope ended meanwhile.
    @inline(__always)
    mutating func append(_ snapshot: ObjectSnapshot, at reading: ClockReading) {
        guard !scopes.isEmpty else { return }
        log.append(snapshot, at: reading)
    }

    /// Appends a capture of another kind, unless the last scope ended meanwhile.
    mutating func append(_ content: Capture.Content, at reading: ClockReading) {
        guard !scopes.isEmpty else { return }
        log.append(content, at: reading)
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
