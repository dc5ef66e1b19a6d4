public import EventModel
import GRDB
public import SyncServer

extension SQLiteChangeStore {
    /// Returns objects that were posted to a realm.
    public func posted(
        _ className: ExactText,
        in realm: RealmName,
        after place: PostedPlace?,
        maximumBytes: Int
    ) async throws -> [PostedObject] {
        try await reading(realm) { row, database in
            try Self.posted(className, in: row, after: place, maximumBytes: maximumBytes, database)
        }
    }

    /// Returns the realms to which somebody bound a file, in the order of their apps and values.
    ///
    /// - Parameter app: The app; nil for all.
    /// - Returns: The names of the realms.
    /// - Throws: ``/SyncServer/SyncServerError/unavailable(reason:)``.
    public func realms(of app: ExactText? = nil) async throws -> [RealmName] {
        try await reading { database in
            let statement = try PreparedStatement(
                "SELECT app, value FROM SyncRealm WHERE ?1 IS NULL OR app = ?1 ORDER BY app, value",
                in: database
            )
            defer { statement.reset() }
            if let app { try statement.bind(app.string, at: 1) }
            var realms: [RealmName] = []
            while try statement.step() {
                realms.append(
                    RealmName(app: ExactText(try statement.string(0)), value: ExactText(try statement.string(1)))
                )
            }
            return realms
        }
    }

    private static func posted(
        _ className: ExactText,
        in realm: RealmRow,
        after place: PostedPlace?,
        maximumBytes: Int,
        _ database: Database
    ) throws -> [PostedObject] {
        let statement = try PreparedStatement(
            """
            SELECT entry, operation, file, SyncUser.user, received, document \
            FROM SyncPosted JOIN SyncUser ON SyncUser.realm = SyncPosted.realm AND number = SyncPosted.user \
            WHERE SyncPosted.realm = ? AND class = ? AND (entry, operation) > (?, ?) ORDER BY entry, operation
            """,
            in: database
        )
        defer { statement.reset() }
        try statement.bind(realm.number, at: 1)
        try statement.bind(className.string, at: 2)
        try statement.bind(place?.entry ?? 0, at: 3)
        try statement.bind(place?.operation ?? 0, at: 4)
        var objects: [PostedObject] = []
        var left = maximumBytes
        while try statement.step() {
            let document = try statement.string(5)
            left -= document.utf8.count
            if left < 0, !objects.isEmpty { break }
            objects.append(
                PostedObject(
                    place: PostedPlace(entry: Int(try statement.number(0)), operation: Int(try statement.number(1))),
                    file: UInt32(truncatingIfNeeded: try statement.number(2)),
                    user: ExactText(try statement.string(3)),
                    received: EventInstant(microseconds: try statement.number(4)),
                    document: ExactText(document)
                )
            )
        }
        return objects
    }
}

extension PreparedStatement {
    /// Returns a text that must be there.
    fileprivate func string(_ index: Int32) throws(SyncServerError) -> String {
        guard let text = text(index) else { throw OrderedReader.damage }
        return text
    }
}
