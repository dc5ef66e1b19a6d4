public import AuditModel
public import EventModel
import GRDB

extension SearchIndex {
    /// Finds objects by the beginnings of the words that they were called by, or by their key.
    ///
    /// - Parameters:
    ///   - question: What is looked for.
    ///   - limit: The largest number of names.
    ///   - access: Whose events may be told.
    ///   - clock: What ends a walk that takes long.
    /// - Returns: The names: by words those first of which words are whole, then those of most events; of one object the newest first.
    /// - Throws: `unavailable` when the index fails.
    /// - Complexity: O(*n*) in the labels that have the rarest of the beginnings, of which 10,000 are looked at; for somebody who may
    ///   not read everything also in the events of a label that may not be read.
    public func names(
        _ question: NameQuestion,
        limit: Int,
        _ access: EventAccess,
        clock: any EventClock
    ) async throws -> FoundNames {
        let isLate = Self.lateness(clock)
        return try await SQLiteFailure.naming {
            try await database.read { database in
                var look = try NameLookUp(access, in: database)
                defer { look.reset() }
                switch question {
                case .words(let text): return try look.names(of: FoldedWord.all(in: text), limit, isLate)
                case .object(let objectClass, let key): return try look.names(of: objectClass, key, limit, isLate)
                }
            }
        }
    }
}
