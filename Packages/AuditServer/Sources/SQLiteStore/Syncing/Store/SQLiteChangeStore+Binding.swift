import ChangeModel
import EventModel
import GRDB
import SyncServer

extension SQLiteChangeStore {
    /// Binds a file in the transaction that is open.
    static func bind(
        _ binding: FileClaim,
        to name: RealmName,
        salt: [UInt8],
        history: [UInt8],
        in database: Database
    ) throws -> BoundFile {
        let found = try RealmRow.find(name, in: database)
        if let claim = binding.claim {
            // A realm that nobody made has no files, and answers as one that has none of this number.
            guard let realm = found,
                let record = try SQLiteRealmState(realm: realm.number, head: realm.status.head, in: database)
                    .record(of: claim.file)
            else { throw SyncServerError.unknownFile }
            try FileLedger(record).check(claim, of: binding, in: realm.status)
            let acknowledged = record.progress.acknowledged
            return BoundFile(file: claim.file, salt: nil, acknowledged: acknowledged, realm: realm.status)
        }
        let realm = try found ?? RealmRow.make(name, history: history, in: database)
        let user = try userNumber(binding.user, in: realm, database)
        let file = try next("SELECT max(file) FROM SyncFile WHERE realm = ?", in: realm, database)
        let statement = try PreparedStatement(
            """
            INSERT INTO SyncFile (realm, file, user, deviceKey, salt, acknowledged, base, clock, chain, seen) \
            VALUES (?, ?, ?, ?, ?, 0, 0, 0, ?, 0)
            """,
            in: database
        )
        defer { statement.reset() }
        try statement.bind(realm.number, at: 1)
        try statement.bind(Int64(file), at: 2)
        try statement.bind(Int64(user), at: 3)
        try statement.bind(binding.deviceKey, at: 4)
        try statement.bind(FileLedger.hash(salt).bytes, at: 5)
        try statement.bind(Digest.zeros.bytes, at: 6)
        _ = try statement.step()
        return BoundFile(file: file, salt: salt, acknowledged: 0, realm: realm.status)
    }

    /// Returns the number of a user in a realm, which gets one if it has none.
    private static func userNumber(_ user: ExactText, in realm: RealmRow, _ database: Database) throws -> UInt32 {
        let known = try PreparedStatement("SELECT number FROM SyncUser WHERE realm = ? AND user = ?", in: database)
        defer { known.reset() }
        try known.bind(realm.number, at: 1)
        try known.bind(user.string, at: 2)
        if try known.step() { return UInt32(clamping: try known.number(0)) }
        let number = try next("SELECT max(number) FROM SyncUser WHERE realm = ?", in: realm, database)
        let statement = try PreparedStatement(
            "INSERT INTO SyncUser (realm, number, user) VALUES (?, ?, ?)",
            in: database
        )
        defer { statement.reset() }
        try statement.bind(realm.number, at: 1)
        try statement.bind(Int64(number), at: 2)
        try statement.bind(user.string, at: 3)
        _ = try statement.step()
        return number
    }

    /// Returns the number behind the greatest that a statement finds; 1 where it finds none.
    private static func next(_ sql: String, in realm: RealmRow, _ database: Database) throws -> UInt32 {
        let statement = try PreparedStatement(sql, in: database)
        defer { statement.reset() }
        try statement.bind(realm.number, at: 1)
        guard try statement.step(), let greatest = statement.integer(0) else { return 1 }
        guard let next = UInt32(exactly: greatest + 1) else {
            throw SyncServerError.unavailable(reason: "the realm has no more numbers")
        }
        return next
    }
}
