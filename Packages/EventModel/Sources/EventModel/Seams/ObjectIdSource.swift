/// Gives object ids; the live source is ``ObjectIdGenerator``.
///
/// Safe to call from any thread. Each id must be greater than the ones returned before it.
public protocol ObjectIdSource: Sendable {
    /// Returns the next id.
    func next() -> ObjectId

    /// Returns the first of the next ids, which are all the caller's: the others are ``ObjectId/following(_:)`` it.
    ///
    /// - Precondition: `count` is at least 1.
    func next(count: Int) -> ObjectId
}
