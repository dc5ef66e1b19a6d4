/// A part of the results of a search.
public struct SearchPage: Sendable, Hashable {
    /// One result.
    public struct Hit: Sendable, Hashable {
        /// Where it is among the results.
        public let cursor: SearchCursor
        /// The event.
        public let stored: StoredEvent
        /// Whether the event is not what was received: its leaf hash is another one.
        public let isChanged: Bool

        package init(cursor: SearchCursor, stored: StoredEvent, isChanged: Bool) {
            self.cursor = cursor
            self.stored = stored
            self.isChanged = isChanged
        }
    }

    /// The results in the order that was asked for.
    public let hits: [Hit]
    /// Where the search stopped; nil when there is nothing behind the last result.
    ///
    /// With fewer results than asked for, the search has looked at as many events as one page may, and goes on from here.
    public let next: SearchCursor?

    package init(hits: [Hit], next: SearchCursor?) {
        self.hits = hits
        self.next = next
    }
}
