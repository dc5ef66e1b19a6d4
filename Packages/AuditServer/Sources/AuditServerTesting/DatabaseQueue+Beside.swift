public import GRDB

extension DatabaseQueue {
    /// Opens a server's database beside it, to look at what it wrote or to change it behind its back.
    ///
    /// The server may be writing at that moment: a statement waits up to ten seconds for its turn, where SQLite's own way is to
    /// fail at once with "database is locked".
    ///
    /// - Parameter path: The path of the database.
    /// - Returns: A connection of its own.
    /// - Throws: What GRDB throws.
    public static func beside(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
