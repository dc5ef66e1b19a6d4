public import EventModel

/// Records what a program reads and writes in a realm, and events of its own.
///
/// ```swift
/// let scope = events.beginScope(activity: "open chart")
/// let patient = realm.object(ofType: Patient.self, forPrimaryKey: id)
/// scope.commit()
/// events.recordEvent(activity: "print", eventType: "button")
/// ```
///
/// A light handle: it keeps the realm open, and any number of them share one ``Recorder``. Not `Sendable`, as the realm
/// is not.
public struct Events {
    let recorder: Recorder
    let owner: Any?

    /// Creates a handle.
    ///
    /// - Parameters:
    ///   - recorder: The recorder of the realm's file.
    ///   - owner: What the handle and its scopes keep alive, usually the realm.
    public init(recorder: Recorder, owner: Any?) {
        self.recorder = recorder
        self.owner = owner
    }

    /// Begins to record reads and writes of every instance of the realm's file.
    ///
    /// Any number of scopes may be active, nested or overlapping; each event goes to all of them. The scope takes the
    /// metadata of this moment. Dropping the scope while it is active discards what it recorded.
    ///
    /// - Parameter activity: The name of every event of the scope; any text of at most 1 KiB. A longer one is cut, and the error
    ///   handler is notified.
    /// - Returns: The scope, to be committed or cancelled.
    public func beginScope(activity: String) -> Scope {
        Scope(id: recorder.beginScope(activity: activity), recorder: recorder, owner: owner)
    }

    /// Records an event of the program's own, independent of scopes.
    ///
    /// Returns at once; the event is stored in the background, in the order of calls and commits.
    ///
    /// - Parameters:
    ///   - activity: The name of the event; any text of at most 1 KiB. A longer one is cut, and the error handler is notified.
    ///   - eventType: The type of the event; likewise, nil for none.
    ///   - data: The payload; any text, need not be JSON, nil for none.
    ///   - completion: Called on a background queue with nil when the event is durable, else with the error.
    public func recordEvent(
        activity: String,
        eventType: String? = nil,
        data: String? = nil,
        completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        recorder.record(activity: activity, eventType: eventType, data: data, completion: completion)
    }

    /// Records an event of the program's own and returns when it is durable.
    ///
    /// Has a name of its own so that ``recordEvent(activity:eventType:data:completion:)`` needs no `await` in
    /// asynchronous code. Cancelling the task changes nothing: the event is recorded and waited for.
    ///
    /// - Throws: The error that a completion would get.
    public func persistEvent(activity: String, eventType: String? = nil, data: String? = nil) async throws {
        let error = await withCheckedContinuation { (continuation: CheckedContinuation<(any Error)?, Never>) in
            recordEvent(activity: activity, eventType: eventType, data: data) { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }

    /// Replaces all metadata of scopes and custom events that begin later; active scopes keep theirs.
    ///
    /// Keys that are not named are gone: `updateMetadata(["reason": "fall"])` takes the user's name away, too. To change some
    /// keys and leave the others, call ``mergeMetadata(_:)``. The name is that of the original library.
    ///
    /// Metadata with an invalid key, or of more than 64 KiB, is rejected as a whole: the old stays, and the error goes to
    /// the logger and to the error handler of the configuration.
    public func updateMetadata(_ metadata: [String: String]) {
        recorder.updateMetadata(metadata)
    }

    /// Replaces all metadata as ``updateMetadata(_:)`` does, and throws when it is invalid.
    ///
    /// - Throws: `EventModelError.invalidMetadataKey` or `EventModelError.metadataTooLong`; the old metadata stays.
    public func replaceMetadata(_ metadata: [String: String]) throws(EventModelError) {
        try recorder.replaceMetadata(metadata)
    }

    /// Where the events go, for whoever wired the recorder to it.
    public var sink: any EventSink { recorder.sink }

    /// Changes some keys of the metadata of scopes and custom events that begin later, and leaves all others as they are.
    ///
    /// ```swift
    /// try events.mergeMetadata(["reason": "fall in the corridor"])    // the user's name stays
    /// try events.mergeMetadata(["reason": nil])                       // takes the reason away again
    /// ```
    ///
    /// Active scopes keep the metadata that they began with. Safe to call from several threads: no change of another
    /// one is lost. ``replaceMetadata(_:)`` and ``updateMetadata(_:)`` replace everything instead.
    ///
    /// - Parameter changes: New values by key; nil removes the key, also one that is not there.
    /// - Throws: `EventModelError.invalidMetadataKey`, or `EventModelError.metadataTooLong` above 64 KiB in all; the old
    ///   metadata stays as a whole.
    public func mergeMetadata(_ changes: [String: String?]) throws(EventModelError) {
        try recorder.mergeMetadata(changes)
    }

    /// What was recorded so far, on all handles of the realm's file in this process.
    public var statistics: RecordingStatistics { recorder.statistics }

    /// Returns when all that was committed or recorded before the call is stored and its completions have run.
    ///
    /// The loss ledger then names all that was lost until then.
    public func flush() async { await recorder.flush() }

    /// Was replaced by scopes.
    @available(*, unavailable, message: "Use commit() of the scope that beginScope(activity:) returns.")
    public func endScope(completion: ((any Error)?) -> Void = { _ in }) {}
}
