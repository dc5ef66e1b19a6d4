import AuditServer
import EventModel

/// Follows a server: first what it has, then what it stored since, whichever partition that is in.
struct RemoteEventFollower: EventFollower {
    private let archive: RemoteEventArchive
    private let filter: EventFilter
    /// Where the server's news begin; nil before the first time.
    private var last: String?
    /// The last event of each partition that was listed, which the news may have again.
    private var listed: [ExactText: UInt64] = [:]

    /// Prepares to follow.
    init(_ archive: RemoteEventArchive, _ filter: EventFilter) {
        self.archive = archive
        self.filter = filter
    }

    mutating func next(_ body: (EventLine) throws -> Void, report: (String) -> Void) async throws -> Bool {
        guard let last else {
            // Asked for first, so that nothing falls between the list and the news.
            let start = try await archive.news(filter, after: nil).last
            var listed: [ExactText: UInt64] = [:]
            try await archive.events(filter) { line in
                listed[ExactText(line.partition)] = line.details.sequence
                try body(line)
            }
            (self.last, self.listed) = (start, listed)
            return true
        }
        let news = try await archive.news(filter, after: last)
        for line in news.lines where line.details.sequence > listed[ExactText(line.partition)] ?? 0 { try body(line) }
        self.last = news.last
        return news.last != last
    }
}
