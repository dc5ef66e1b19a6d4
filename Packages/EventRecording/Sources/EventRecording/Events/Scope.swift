extension Events {
    /// A period during which reads and writes are recorded under the name of an activity.
    ///
    /// Ends with ``persist()``, ``commit(completion:)`` or ``cancel()``. A scope that is dropped while it is active is cancelled with
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

        /// Ends the scope, stores what it recorded in the background, and returns when that is durable.
        ///
        /// The form to be awaited, wherever the call stands: at the top level of `main.swift`, too. A scope that
        /// recorded nothing succeeds without touching any file. Cancelling the task changes nothing: the scope is ended
        /// and waited for.
        ///
        /// - Throws: ``RecordingError/scopeNotActive(id:)`` when the scope has ended before, else the first error: another
        ///   ``RecordingError``, or what the place of storage threw.
        public func persist() async throws {
            if let error = await outcomeOfCommit() { throw error }
        }

        /// Ends the scope and returns when what it recorded is durable: ``persist()`` under the name of the original.
        ///
        /// In an asynchronous function, and in a closure that awaits something, this is the `commit()` that is taken. At the
        /// top level of `main.swift` Swift takes the one that does not wait, even behind `await`, and refuses it.
        ///
        /// - Throws: As ``persist()`` does.
        public func commit() async throws {
            if let error = await outcomeOfCommit() { throw error }
        }

        private func outcomeOfCommit() async -> (any Error)? {
            await withCheckedContinuation { (continuation: CheckedContinuation<(any Error)?, Never>) in
                recorder.commitScope(id) { continuation.resume(returning: $0) }
            }
        }

        /// Ends the scope, returns at once, and stores what it recorded in the background: ``commit(completion:)`` without
        /// a completion, for synchronous code.
        @available(
            *,
            noasync,
            message: "it does not wait; write 'try await scope.persist()' or 'scope.commit(completion: nil)'"
        )
        public func commit() {
            recorder.commitScope(id, completion: nil)
        }

        /// Ends the scope and stores what it recorded, in the background; returns at once.
        ///
        /// A scope that recorded nothing succeeds without touching any file. On a scope that is not active, the
        /// completion gets ``RecordingError/scopeNotActive(id:)`` and a warning is logged.
        ///
        /// - Parameter completion: Nil for none. Called on a background queue, in the order of commits, with nil when every event is
        ///   durable, else with the first error: ``RecordingError``, or what the place of storage threw.
        public func commit(completion: (@Sendable ((any Error)?) -> Void)?) {
            recorder.commitScope(id, completion: completion)
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
