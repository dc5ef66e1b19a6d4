/// Gives object ids; the live source is ``ObjectIdGenerator``.
///
/// Safe to call from any thread. Each id must be greater than the ones returned before it.
public protocol ObjectIdSource: Sendable {
    /// Returns the next id.
    func next() -> ObjectId
}
