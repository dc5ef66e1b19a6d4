public import AuditModel
import EventModel
import GRDB

extension SearchIndex {
    /// Returns those of the texts that are keys of objects in events that may be read.
    ///
    /// - Throws: `unavailable` when the index fails.
    /// - Complexity: O(*n* log *m*) for *n* texts and *m* terms; for somebody who may not read everything also in the events of a key
    ///   that may not be read.
    public func knownKeys(_ texts: [String], _ access: EventAccess) async throws -> [String] {
        if texts.isEmpty { return [] }
        return try await SQLiteFailure.naming {
            try await database.read { database in
                try texts.filter { text in
                    var isKnown = false
                    let filter = EventFilter(objectKey: text, access: access)
                    var steps = 0
                    func isLate() -> Bool {
                        steps += 1
                        return steps > 4
                    }
                    // What an event shows beyond its terms is not known without reading it.
                    _ = try PostingWalk(filter, isNewestFirst: true, isCounting: true, in: database)?
                        .places(after: nil, in: database, isLate: isLate) { _ in
                            isKnown = true
                            return false
                        }
                    return isKnown
                }
            }
        }
    }
}
