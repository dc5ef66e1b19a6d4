package import AuditModel
import EventModel

/// Follows a server: first what it has, then what it stored since, whichever partition that is in.
///
/// Behind a balancer several servers answer, each of which numbers what arrives by itself. One that does not know the place yet
/// says so, and what it has is listed again; what was shown before is not shown twice.
package struct RemoteEventFollower: EventFollower {
    private let archive: RemoteEventArchive
    private let filter: EventFilter
    /// Where the server's news begin; nil before the first time.
    private var last: String?
    /// The last event of each partition that was shown.
    private var shown: [ExactText: UInt64] = [:]

    /// Prepares to follow.
    package init(_ archive: RemoteEventArchive, _ filter: EventFilter) {
        self.archive = archive
        self.filter = filter
    }

    package mutating func next(_ body: (EventLine) throws -> Void, report: (String) -> Void) async throws -> Bool {
        // Asked for first, so that nothing falls between the list and the news.
        let news = try await archive.news(filter, after: last)
        guard last != nil, !news.beginsAnew else {
            if news.beginsAnew {
                report("The server does not know how far it was followed, so that what it has is looked through again.")
            }
            var shown = self.shown
            try await archive.events(filter) { line in
                guard line.details.sequence > shown[ExactText(line.partition)] ?? 0 else { return }
                shown[ExactText(line.partition)] = line.details.sequence
                try body(line)
            }
            (last, self.shown) = (news.last, shown)
            return true
        }
        for line in news.lines where line.details.sequence > shown[ExactText(line.partition)] ?? 0 {
            shown[ExactText(line.partition)] = line.details.sequence
            try body(line)
        }
        last = news.last
        return news.isMore || !news.lines.isEmpty
    }
}
