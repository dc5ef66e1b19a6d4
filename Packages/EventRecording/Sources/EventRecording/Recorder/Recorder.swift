import Dispatch
public import EventModel
import Synchronization

/// Records one realm file: captures what the store notifies it of, and stores events in the background.
///
/// The store calls it through `RealmObserver`, programs through ``Events``. Safe to call from any thread.
/// Captures go once into a shared log, under a lock that is held for an append; the reads of an instance that reads alone lie in a
/// ring of its own until something else is captured. Everything else happens on a private serial queue, in the order of commits and
/// custom events, and completions run there.
public final class Recorder: Sendable {
    /// Open while at least one scope is active.
    public let gate: ObservationGate

    let state: Mutex<RecordingState>
    let clock: any EventClock
    /// The clock when it is that of the system, which is read at every capture: a call that is known costs less.
    private let systemClock: SystemClock?
    let composer: EventComposer
    let delivery: EventDelivery
    let log: RecordingLog
    let recordsEmptyQueries: Bool
    /// The journals of scopes; nil when there is no place for them.
    let journaling: ScopeJournaling?
    /// Where writes are kept with their transactions; nil when there is no place for them.
    let noting: WriteNoting?
    let queue = DispatchQueue(label: "daybook.recorder")

    /// Creates a recorder; one for each realm file and process.
    ///
    /// How journals are used is described in <doc:Crashes>.
    ///
    /// - Parameters:
    ///   - configuration: Metadata, logger, error handler and what is recorded; the other parts are for the sink.
    ///   - encoder: Makes the payloads.
    ///   - sink: Stores the events; called in the background only, by one thread at a time, never for a scope that
    ///     recorded nothing.
    ///   - journals: Keeps what scopes captured; nil, the default, keeps it in memory alone. What is left behind there
    ///     is recovered in the background, before anything else is stored.
    ///   - realm: The realm that is recorded; nil, the default, keeps nothing in its file.
    ///   - notes: The notes in the realm's file, in which writes are kept with their transactions; nil, the default, for a
    ///     realm that needs none. They are used only if there are journals.
    ///   - clock: Gives the timestamps.
    ///   - timer: Says when captures must be journalled.
    ///   - ids: Gives each event its id when it is stored.
    /// - Throws: An error of ``EventConfiguration/validate()``.
    public init(
        configuration: EventConfiguration,
        encoder: any SnapshotEncoder,
        sink: any EventSink,
        journals: (any ScopeJournalStore)? = nil,
        realm: RealmIdentity? = nil,
        notes: (any CommitNotes)? = nil,
        clock: any EventClock = SystemClock(),
        timer: any EventTimer = SystemTimer(),
        ids: any ObjectIdSource = ObjectIdGenerator.system
    ) throws(EventModelError) {
        try configuration.validate()
        let metadata = try configuration.checkedMetadata()
        gate = ObservationGate(seesShownObjects: configuration.recordedReads == .shown)
        state = Mutex(RecordingState(metadata: metadata, isJournaling: journals != nil))
        self.clock = clock
        systemClock = clock as? SystemClock
        composer = EventComposer(encoder: encoder, ids: ids)
        delivery = EventDelivery(sink: sink)
        log = RecordingLog(logger: configuration.logger, errorHandler: configuration.errorHandler)
        recordsEmptyQueries = configuration.recordsEmptyQueries
        journaling = journals.map { ScopeJournaling(store: $0, timer: timer, ids: ids, boot: clock.now().boot) }
        noting = journals.flatMap { journals in
            guard let realm, let notes else { return nil }
            return WriteNoting(notes, of: journals.address(of: realm.path))
        }
        if journals != nil {
            let policy = configuration.crashPolicy
            queue.async { self.recoverLeftBehind(policy) }
        }
    }

    /// Reads the clock for a capture.
    @inline(__always)
    func instant() -> ClockReading { systemClock?.now() ?? clock.now() }

    /// Reads the clock for the capture of a read, of which there are so many that the clock would be half of their cost.
    ///
    /// The first one in a tick of the system's clock is exact, see `SystemClock.recent()`.
    @inline(__always)
    func instantOfRead() -> ClockReading { systemClock?.recent() ?? clock.now() }

    /// What was recorded so far: the counts of one moment.
    public var statistics: RecordingStatistics { state.withLock { $0.statistics } }

    /// Where the events go: what the recorder was created with.
    public var sink: any EventSink { delivery.sink }

    /// Takes over the metadata of another opening of the file, if it differs from what the opening before it brought.
    ///
    /// An opening with the same configuration as before therefore never reverts what ``replaceMetadata(_:)`` set. The
    /// other parts of the configuration are ignored.
    ///
    /// - Throws: An error of ``EventConfiguration/validate()``; the old metadata stays.
    public func didReopen(with configuration: EventConfiguration) throws(EventModelError) {
        try configuration.validate()
        let metadata = try configuration.checkedMetadata()
        state.withLock { $0.didReopen(with: metadata) }
    }

    /// Replaces all metadata of scopes and custom events that begin later.
    ///
    /// - Throws: `EventModelError.invalidMetadataKey`, or `EventModelError.metadataTooLong` above 64 KiB in all; the old metadata
    ///   stays as a whole.
    public func replaceMetadata(_ metadata: [String: String]) throws(EventModelError) {
        let metadata = try EventMetadata(metadata)
        try metadata.checkSize()
        state.withLock { $0.replaceMetadata(metadata) }
    }

    /// Changes some keys of the metadata of scopes and custom events that begin later, and leaves all others.
    ///
    /// - Parameter changes: New values by key; nil removes the key.
    /// - Throws: `EventModelError.invalidMetadataKey`, or `EventModelError.metadataTooLong` above 64 KiB in all; the old
    ///   metadata stays as a whole.
    public func mergeMetadata(_ changes: [String: String?]) throws(EventModelError) {
        try state.withLock { state throws(EventModelError) in
            var merged = state.currentMetadata.dictionary
            for (key, value) in changes { merged[key] = value }
            let metadata = try EventMetadata(merged)
            try metadata.checkSize()
            state.replaceMetadata(metadata)
        }
    }

    /// Replaces the metadata, or reports why it cannot be used.
    func updateMetadata(_ metadata: [String: String]) {
        do {
            try replaceMetadata(metadata)
        } catch {
            log.report(error, "the metadata was not updated")
        }
    }
}
