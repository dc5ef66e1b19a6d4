import EventModel
import GRDB
import SyncServer

/// One realm as the database has it.
struct RealmRow {
    /// The number of the realm in this database, which never leaves it.
    let number: Int64
    var status: RealmStatus

    /// Finds a realm by its name; nil where nobody made it.
    static func find(_ name: RealmName, in database: Database) throws -> RealmRow? {
        let statement = try PreparedStatement(
            """
            SELECT realm, history, head, floor, objects, contentBytes, logBytes, postedBytes \
            FROM SyncRealm \
            WHERE app = ? AND value = ?
            """,
            in: database
        )
        defer { statement.reset() }
        try statement.bind(name.app.string, at: 1)
        try statement.bind(name.value.string, at: 2)
        guard try statement.step() else { return nil }
        let status = RealmStatus(
            history: try statement.blob(1),
            head: Int(try statement.number(2)),
            floor: Int(try statement.number(3)),
            objects: Int(try statement.number(4)),
            contentBytes: Int(try statement.number(5)),
            logBytes: Int(try statement.number(6)),
            postedBytes: Int(try statement.number(7))
        )
        return RealmRow(number: try statement.number(0), status: status)
    }

    /// Makes a realm with a history of its own.
    static func make(_ name: RealmName, history: [UInt8], in database: Database) throws -> RealmRow {
        let statement = try PreparedStatement(
            """
            INSERT INTO SyncRealm (app, value, history, head, floor, objects, contentBytes, logBytes) \
            VALUES (?, ?, ?, 0, 0, 0, 0, 0)
            """,
            in: database
        )
        defer { statement.reset() }
        try statement.bind(name.app.string, at: 1)
        try statement.bind(name.value.string, at: 2)
        try statement.bind(history, at: 3)
        _ = try statement.step()
        let status = RealmStatus(history: history, head: 0, floor: 0, objects: 0, contentBytes: 0, logBytes: 0)
        return RealmRow(number: database.lastInsertedRowID, status: status)
    }

    /// Writes where the realm is and how much it holds.
    func write(in database: Database) throws {
        let statement = try PreparedStatement(
            "UPDATE SyncRealm SET head = ?, objects = ?, contentBytes = ?, logBytes = ?, postedBytes = ? WHERE realm = ?",
            in: database
        )
        defer { statement.reset() }
        try statement.bind(status.head, at: 1)
        try statement.bind(status.objects, at: 2)
        try statement.bind(status.contentBytes, at: 3)
        try statement.bind(status.logBytes, at: 4)
        try statement.bind(status.postedBytes, at: 5)
        try statement.bind(number, at: 6)
        _ = try statement.step()
    }

    /// Writes when the oldest entry was received, which is the first one of a log that was empty.
    func writeOldest(_ received: EventInstant, in database: Database) throws {
        let statement = try PreparedStatement(
            "UPDATE SyncRealm SET oldestReceived = ? WHERE realm = ?",
            in: database
        )
        defer { statement.reset() }
        try statement.bind(received.microseconds, at: 1)
        try statement.bind(number, at: 2)
        _ = try statement.step()
    }
}
