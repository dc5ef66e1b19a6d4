public import AuditModel
public import EventModel
import GRDB

extension SearchIndex {
    /// How long a page may take before it is returned as it is, in nanoseconds.
    static let pageNanoseconds: UInt64 = 60_000_000
    /// A bound for the events that one page looks at, which bounds its memory.
    static let pageCandidates = 20_000

    /// Searches.
    ///
    /// Every result was compared with the filter as it is in the store now. An event that fits no longer and was changed
    /// behind the server's back is a result all the same.
    ///
    /// - Parameters:
    ///   - filter: Which events; repeated ones are never found.
    ///   - range: Which part of the results.
    ///   - store: The store that the index is of.
    ///   - clock: What ends a search that takes long.
    /// - Returns: The results in the order of the devices' clocks.
    /// - Throws: `unavailable` when the store or the index fails.
    /// - Complexity: O(log *n* + *k*) for events *n* and candidates *k*: those that have the rarest value of the filter.
    public func search(
        _ filter: EventFilter,
        _ range: SearchRange,
        in store: any EventReading,
        clock: any EventClock
    ) async throws -> SearchPage {
        let start = clock.now().monotonicNanoseconds
        let isLate: @Sendable () -> Bool = {
            let now = clock.now().monotonicNanoseconds
            return now > start && now - start > Self.pageNanoseconds
        }
        var hits: [SearchPage.Hit] = []
        var byteCount = 0
        var cursor = range.after
        var looked = 0
        repeat {
            // What is looked for in texts is rare; more is read at once then, and not so much that it takes long.
            let count = filter.text == nil ? range.limit + 1 - hits.count : max(range.limit, 200)
            let (candidates, stop) = try await candidates(filter, range, after: cursor, count, isLate)
            var rest = candidates[...]
            while !rest.isEmpty {
                let page = try await self.hits(Array(rest), in: store, maximumBytes: SearchRange.pageBytes)
                for hit in page.hits where filter.fits(hit) {
                    byteCount += hit.stored.byteCount
                    if hits.count == range.limit || !hits.isEmpty && byteCount > SearchRange.pageBytes {
                        return SearchPage(hits: hits, next: hits.last?.cursor)
                    }
                    hits.append(hit)
                }
                let done = rest.prefix(page.looked)
                rest = rest.dropFirst(page.looked)
                looked += done.count
                if !rest.isEmpty, isLate() { return SearchPage(hits: hits, next: done.last?.cursor) }
            }
            cursor = stop
        } while cursor != nil && !isLate() && looked < Self.pageCandidates
        return SearchPage(hits: hits, next: cursor)
    }

    private func candidates(
        _ filter: EventFilter,
        _ range: SearchRange,
        after cursor: SearchCursor?,
        _ count: Int,
        _ isLate: @Sendable () -> Bool
    ) async throws -> (candidates: [PostingWalk.Candidate], stop: SearchCursor?) {
        try await SQLiteFailure.naming {
            try await withoutActuallyEscaping(isLate) { isLate in
                try await database.read { database in
                    guard
                        let walk = try PostingWalk(filter, isNewestFirst: range.isNewestFirst, in: database)
                    else { return ([], nil) }
                    var found: [PostingWalk.Candidate] = []
                    let stop = try walk.candidates(after: cursor, in: database, isLate: isLate) { candidate in
                        found.append(candidate)
                        return found.count < count
                    }
                    return (found, stop)
                }
            }
        }
    }

    /// Reads candidates from the store and compares each with its hash.
    ///
    /// - Returns: What is there, and how many of the candidates were looked at: of large events fewer than were given.
    func hits(
        _ candidates: [PostingWalk.Candidate],
        in store: any EventReading,
        maximumBytes: Int
    ) async throws -> (hits: [SearchPage.Hit], looked: Int) {
        var cursors: [EventAddress: SearchCursor] = [:]
        for candidate in candidates { cursors[candidate.address] = candidate.cursor }
        let found = try await store.events(at: candidates.map(\.address), maximumBytes: maximumBytes)
        let hits = found.events.compactMap { stored in
            let address = EventAddress(partition: stored.partition, sequence: stored.sequence)
            return cursors[address]
                .map { cursor in
                    let isChanged = stored.erasure == nil && stored.contentHash != stored.leaf
                    return SearchPage.Hit(cursor: cursor, stored: stored, isChanged: isChanged)
                }
        }
        return (hits, found.looked)
    }
}

extension EventFilter {
    /// Returns whether a result is shown: it fits, or it was changed behind the server's back.
    func fits(_ hit: SearchPage.Hit) -> Bool {
        if let owner = hit.stored.owner, !access.includes(hit.stored.partition, of: owner) { return false }
        // An event that was erased is found when that is asked for.
        if (hit.stored.erasure != nil) != (outcome == .erased) { return false }
        if hit.isChanged { return true }
        if hit.stored.owner?.app == TrailEvent.app && app != TrailEvent.app { return false }
        return matches(hit.stored)
    }
}
