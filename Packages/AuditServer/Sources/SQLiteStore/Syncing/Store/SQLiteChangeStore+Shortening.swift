import ChangeModel
public import EventModel
import GRDB
public import SyncServer

extension SQLiteChangeStore {
    /// Returns realms of an app whose oldest entry was received before an instant.
    ///
    /// - Complexity: O(*n*) in the realms of the app that have entries.
    public func realms(
        of app: ExactText,
        withEntriesBefore instant: EventInstant,
        after value: ExactText?,
        limit: Int
    ) async throws -> [RealmName] {
        try await reading { database in
            let statement = try PreparedStatement(
                """
                SELECT value, (SELECT substr(entry, 1, \(EntryHead.longestBytes)) FROM SyncEntry \
                WHERE SyncEntry.realm = SyncRealm.realm AND number = floor + 1 AND oldestReceived IS NULL) \
                FROM SyncRealm WHERE app = ?1 AND value > ?2 AND floor < head \
                AND coalesce(oldestReceived, ?3 - 1) < ?3 ORDER BY value
                """,
                in: database
            )
            defer { statement.reset() }
            try statement.bind(app.string, at: 1)
            // No value is empty: each begins with its kind.
            try statement.bind(value?.string ?? "", at: 2)
            try statement.bind(instant.microseconds, at: 3)
            var realms: [RealmName] = []
            while realms.count < limit, try statement.step() {
                guard let value = statement.text(0) else { throw OrderedReader.damage }
                // A realm of an earlier version does not say when its oldest entry came.
                if let head = statement.bytes(1), try EntryHead(of: head).received >= instant { continue }
                realms.append(RealmName(app: app, value: ExactText(value)))
            }
            return realms
        }
    }

    /// Returns how many entries the realms of an app ever had, those that are gone included.
    ///
    /// - Complexity: O(*n*) in the realms of the app.
    public func entryCount(of app: ExactText) async throws -> Int {
        try await reading { database in
            let statement = try PreparedStatement(
                "SELECT coalesce(sum(head), 0) FROM SyncRealm WHERE app = ?",
                in: database
            )
            defer { statement.reset() }
            try statement.bind(app.string, at: 1)
            return try statement.step() ? Int(try statement.number(0)) : 0
        }
    }

    /// Removes the oldest entries of a realm with what was uploaded as them, and raises its floor.
    public func shorten(_ realm: RealmName, before instant: EventInstant, limit: Int) async throws -> ShortenedLog {
        try await writing { database in
            guard let row = try RealmRow.find(realm, in: database) else { throw SyncServerError.unknownRealm }
            return try LogShortening(realm: row, database: database).run(before: instant, limit: limit)
        }
        .get()
    }
}
