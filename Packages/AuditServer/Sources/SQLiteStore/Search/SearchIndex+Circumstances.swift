public import AuditModel
public import EventModel
import GRDB

extension SearchIndex {
    /// Returns what the newest events of partitions say; of those alone that may be read and have an event.
    ///
    /// - Throws: `unavailable` when the index fails.
    public func circumstances(
        of partitions: [PartitionID],
        _ access: EventAccess
    ) async throws -> [PartitionCircumstances] {
        try await SQLiteFailure.naming {
            try await database.read { database in
                var shelves = try ReadableShelves(access, in: database)
                let newest = try PreparedStatement(
                    """
                    SELECT Shelf.id, Entry.time, Entry.terms FROM Shelf JOIN Entry ON Entry.number = newest WHERE value = ?
                    """,
                    in: database
                )
                let term = try PreparedStatement("SELECT text FROM Term WHERE id = ?", in: database)
                defer {
                    shelves.reset()
                    newest.reset()
                    term.reset()
                }
                func text(_ id: Int64) throws -> String {
                    term.reset()
                    try term.bind(id, at: 1)
                    return String(decoding: try term.step() ? term.bytes(0) ?? [] : [], as: UTF8.self)
                }
                return try partitions.compactMap { partition in
                    newest.reset()
                    try newest.bind(partition.value, at: 1)
                    guard try newest.step(), let shelf = newest.integer(0), try shelves.include(shelf: shelf) else {
                        return nil
                    }
                    // TEXT: of one event, as above.
                    var metadata: [String: String] = [:]
                    var boot: String?
                    try PackedTerms.visit(newest.bytes(2) ?? []) { id, kind in
                        if kind == .boot { boot = try text(id) }
                        guard kind == .metadata else { return }
                        let parts = try text(id)
                            .split(separator: "\u{0}", maxSplits: 1, omittingEmptySubsequences: false)
                        if parts.count == 2 { metadata[String(parts[0])] = String(parts[1]) }
                    }
                    return PartitionCircumstances(
                        partition: partition.value,
                        metadata: metadata,
                        boot: boot,
                        newest: EventInstant(microseconds: newest.integer(1) ?? 0)
                    )
                }
            }
        }
    }
}
