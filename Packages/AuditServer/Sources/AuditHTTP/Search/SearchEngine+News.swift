import AuditModel
import AuditSearch
import EventModel

/// What somebody who follows gets.
struct FollowedNews: Sendable {
    /// What to ask with for what arrives later.
    let cursor: String
    /// Whether there is more at once.
    var isMore = false
    /// Whether nothing was recorded of this following yet.
    let isNew: Bool
    /// Whether a position was given that this server does not know.
    var beginsAnew = false
}

extension SearchEngine {
    /// Answers somebody who follows: with what arrived behind a position, or with the position to begin at.
    ///
    /// - Parameters:
    ///   - listing: What is followed, by whom.
    ///   - position: The position, which may be one of other servers alone; nil at the beginning.
    ///   - filter: Which events.
    ///   - store: The store that the index is of.
    ///   - taken: Is given what arrived, and says how much of it goes into the answer.
    /// - Returns: What arrived, and the position behind it.
    /// - Throws: `AuditServerError.rejected(reason:)` when the position is none, and `unavailable` when the store or the
    ///   index fails.
    func news(
        _ listing: Listing,
        _ position: (bytes: ArraySlice<UInt8>, isOfThis: Bool)?,
        _ filter: EventFilter,
        in store: any EventReading,
        _ taken: ([SearchPage.Hit]) throws -> Int
    ) async throws -> FollowedNews {
        let generation = try await generation()
        var known = FollowPosition()
        if let position {
            guard let read = FollowPosition(position.bytes) else { throw AuditServerError.foreignCursor("last") }
            known = read
        }
        guard let last = known.last(in: generation) else {
            known.goOn(to: try await lastNumber(), in: generation)
            return FollowedNews(cursor: try listing.cursor(known.bytes), isNew: true, beginsAnew: position != nil)
        }
        let arrivals = try await arrivals(after: last, filter, in: store)
        let count = try taken(arrivals.hits)
        let isWhole = count == arrivals.hits.count
        known.goOn(to: isWhole ? arrivals.last : arrivals.hits[count - 1].cursor.number, in: generation)
        return FollowedNews(
            cursor: try listing.cursor(known.bytes),
            isMore: arrivals.isMore || !isWhole,
            isNew: position?.isOfThis != true
        )
    }
}
