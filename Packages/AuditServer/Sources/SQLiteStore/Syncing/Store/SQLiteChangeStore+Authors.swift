public import ChangeModel
public import EventModel
import GRDB
public import SyncServer

extension SQLiteChangeStore {
    /// Returns the users of a realm by their numbers in it, which entries name.
    ///
    /// - Parameter realm: The realm.
    /// - Returns: All users who ever bound a file to it.
    /// - Throws: ``/SyncServer/SyncServerError`` with `unknownRealm` or `unavailable`.
    /// - Complexity: O(*n*) in the users.
    public func users(of realm: RealmName) async throws -> [UInt32: ExactText] {
        try await reading(realm) { row, database in
            let statement = try PreparedStatement(
                "SELECT number, user FROM SyncUser WHERE realm = ?",
                in: database
            )
            defer { statement.reset() }
            try statement.bind(row.number, at: 1)
            var users: [UInt32: ExactText] = [:]
            while try statement.step() {
                guard let user = statement.text(1) else { throw OrderedReader.damage }
                users[UInt32(truncatingIfNeeded: try statement.number(0))] = ExactText(user)
            }
            return users
        }
    }

    /// Returns the number of the entry that a change of a file became.
    ///
    /// - Parameters:
    ///   - change: The file and the number of its change.
    ///   - realm: The realm.
    /// - Returns: The number; nil when no such change was taken.
    /// - Throws: ``/SyncServer/SyncServerError`` with `unknownRealm` or `unavailable`.
    public func entry(of change: ChangeReference, in realm: RealmName) async throws -> Int? {
        try await reading(realm) { row, database in
            let statement = try PreparedStatement(
                "SELECT entry FROM SyncUpload WHERE realm = ? AND file = ? AND change = ?",
                in: database
            )
            defer { statement.reset() }
            try statement.bind(row.number, at: 1)
            try statement.bind(Int(change.file), at: 2)
            try statement.bind(change.number, at: 3)
            return try statement.step() ? Int(try statement.number(0)) : nil
        }
    }
}
