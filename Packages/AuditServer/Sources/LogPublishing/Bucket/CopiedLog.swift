import Synchronization

/// What the bucket of a log has, and what is wrong with it.
///
/// Safe to use from any thread.
public final class CopiedLog: Sendable {
    private struct State {
        var size: UInt64?
        var concern: LogBucketConcern?
    }

    private let state = Mutex(State())

    /// Begins to know nothing.
    public init() {}

    /// How many entries the checkpoint in the bucket has; nil before it is known.
    public var size: UInt64? { state.withLock { $0.size } }

    /// What is wrong with the bucket; nil when nothing is.
    public var concern: LogBucketConcern? { state.withLock { $0.concern } }

    func note(size: UInt64) { state.withLock { $0.size = size } }

    func note(_ concern: LogBucketConcern?) { state.withLock { $0.concern = concern } }
}
