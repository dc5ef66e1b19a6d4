import AuditModel
import EventModel
import GRDB

/// Which entries of the index somebody may read who may not read everything; each partition is asked about once.
struct ReadableShelves {
    private let access: EventAccess
    private let entry: PreparedStatement
    private let shelf: PreparedStatement
    private var known: [Int64: Bool] = [:]

    init(_ access: EventAccess, in database: Database) throws {
        self.access = access
        entry = try PreparedStatement("SELECT shelf FROM Entry WHERE number = ?", in: database)
        shelf = try PreparedStatement("SELECT value, app, account FROM Shelf WHERE id = ?", in: database)
    }

    /// Returns whether the event at a place may be read.
    mutating func include(_ place: SearchCursor) throws -> Bool {
        entry.reset()
        try entry.bind(place.number, at: 1)
        guard try entry.step(), let id = entry.integer(0) else {
            throw AuditServerError.unavailable(reason: "the search index is damaged")
        }
        return try include(shelf: id)
    }

    /// Returns whether the events of a partition may be read.
    mutating func include(shelf id: Int64) throws -> Bool {
        if let isReadable = known[id] { return isReadable }
        shelf.reset()
        try shelf.bind(id, at: 1)
        var isReadable = false
        if try shelf.step(), let partition = shelf.text(0).flatMap({ try? PartitionID($0) }),
            let app = shelf.text(1), let account = shelf.text(2)
        {
            isReadable = access.includes(partition, of: EventOwner(app: app, user: account))
        }
        known[id] = isReadable
        return isReadable
    }

    func reset() {
        entry.reset()
        shelf.reset()
    }
}
