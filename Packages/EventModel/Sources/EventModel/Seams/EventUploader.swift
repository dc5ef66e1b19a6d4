/// Carries the events of one user away for as long as somebody records into their files.
///
/// Safe to use from any thread.
public protocol EventUploader: Sendable {
    /// Checks that somebody can still be the user whom the events belong to: those of a user who is gone would wait for ever.
    ///
    /// Asked before each append, so it is quick and waits for nobody. A user who is only logged out may come back.
    ///
    /// - Throws: When nobody can be the user any more.
    func requireUser() throws

    /// Carries events away until the task is cancelled.
    ///
    /// - Parameter changes: An element for each change of the files; may end early.
    @concurrent
    func run(waking changes: AsyncStream<Void>?) async
}
