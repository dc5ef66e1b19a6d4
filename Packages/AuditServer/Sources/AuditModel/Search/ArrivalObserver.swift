/// Sees new events before they are entered in the search index.
///
/// An event that was seen and not entered, because the server ended in between, is seen again.
public protocol ArrivalObserver: AnyObject, Sendable {
    /// Looks at events of one partition, in order.
    ///
    /// - Throws: What keeps the events from being entered; they are seen again later.
    func willEnter(_ events: [StoredEvent]) async throws
}
