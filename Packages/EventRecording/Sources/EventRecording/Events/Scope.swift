extension Events {
    /// A period during which reads and writes are recorded under the name of an activity.
    ///
    /// Ends with ``commit(completion:)`` or ``cancel()``. A scope that is dropped while it is active is cancelled with
    /// a warning; one that is still active when the process ends is stored by the next one, see <doc:Crashes>. Keeps the
    /// realm open.
    public final class Scope {
        private let id: Int
        private let recorder: Recorder
        private let owner: Any?

        init(id: Int, recorder: Recorder, owner: Any?) {
            self.id = id
            self.recorder = recorder
            self.owner = owner
        }

        deinit {
            recorder.abandonScope(id)
        }

        /// Whether the scope was neither committed nor cancelled.
        public var isActive: Bool { recorder.isActive(id) }

        /// Ends the scope and stores what it recorded, in the background.
        ///
        /// A scope that recorded nothing succeeds without touching any file. On a scope that is not active, the
        /// completion gets ``RecordingError/scopeNotActive(id:)`` and a warning is logged.
        ///
        /// - Parameter completion: Called on a background queue, in the order of commits, with nil when every event is
        ///   durable, else with the first error: ``RecordingError``, or what the place of storage threw.
        public func commit(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
            recorder.commitScope(id, completion: completion)
        }

        /// Ends the scope and returns when what it recorded is durable.
        ///
        /// Cancelling the task changes nothing: the scope is committed and waited for.
        ///
        /// - Throws: The error that a completion would get.
        public func commit() async throws {
            let error = await withCheckedContinuation { (continuation: CheckedContinuation<(any Error)?, Never>) in
                recorder.commitScope(id) { continuation.resume(returning: $0) }
            }
            if let error { throw error }
        }

        /// Ends the scope and discards what it recorded.
        ///
        /// Returns when nobody can read it any more; for a scope that is in a journal, that may wait for a file.
        /// On a scope that is not active nothing happens but a warning in the log.
        public func cancel() {
            recorder.cancelScope(id)
        }
    }
}
