public import EventModel
import Synchronization

/// An upload that carries nothing: it reports to a test when it began and ended, and what woke it.
public final class FakeEventUploader: EventUploader {
    /// What is thrown for a user who is gone.
    public struct UserIsGone: Error, Hashable {
        /// Creates the error, for a test that asks for it.
        public init() {}
    }

    /// What happens to an upload.
    public enum Step: Sendable, Hashable {
        case began
        case woken
        case ended
    }

    /// All that happens, in order; one test reads it.
    public let steps: AsyncStream<Step>
    private let reporting: AsyncStream<Step>.Continuation
    private let isUserGone = Mutex(false)

    /// Creates an upload whose user is there.
    public init() {
        // A test wants each of them; the stream ends with the upload.
        (steps, reporting) = AsyncStream.makeStream(of: Step.self, bufferingPolicy: .unbounded)
    }

    deinit {
        reporting.finish()
    }

    /// Removes the user: nobody can be the user of the events any more.
    public func removeUser() {
        isUserGone.withLock { $0 = true }
    }

    /// Checks that the test did not remove the user.
    ///
    /// - Throws: ``UserIsGone`` when it did.
    public func requireUser() throws {
        if isUserGone.withLock(\.self) { throw UserIsGone() }
    }

    /// Reports each change until the task is cancelled.
    @concurrent
    public func run(waking changes: AsyncStream<Void>?) async {
        reporting.yield(.began)
        // Iterating ends when the task is cancelled, and when the files are closed; both end a run without a network.
        if let changes { for await _ in changes { reporting.yield(.woken) } }
        reporting.yield(.ended)
    }
}
