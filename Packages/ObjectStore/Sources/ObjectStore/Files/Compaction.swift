/// Makes a file as small as possible.
struct Compaction {
    let connection: Connection

    /// How large the file is and how much of it holds contents, in bytes.
    func sizes() throws(Realm.Error) -> (total: Int, used: Int) {
        let page = try number("page_size")
        let total = try number("page_count")
        return (total * page, (total - (try number("freelist_count"))) * page)
    }

    /// Writes the contents anew without free pages.
    ///
    /// The file must have no other users. It takes as much room again while it runs.
    func run() throws(Realm.Error) {
        try connection.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private func number(_ pragma: String) throws(Realm.Error) -> Int {
        let statement = try connection.prepare("PRAGMA \(pragma)")
        defer { statement.reset() }
        return try statement.step() ? Int(statement.int(0)) : 0
    }
}
