import Foundation

/// Reads the newest version of a file beside all instances, for a watcher on its own queue.
final class FileVersionReader: @unchecked Sendable {
    // SAFETY: the connection is made and used by one watcher, on the watcher's serial queue.
    private let path: String
    private let key: HeldKey
    private var connection: Connection?
    private var statement: Statement?

    init(_ path: String, _ key: HeldKey) {
        self.path = path
        self.key = key
    }

    /// The newest version of any process; nil when the file cannot be read now.
    func version() -> UInt64? {
        let version = Result { () throws(Realm.Error) in try read() }
        return try? version.get()
    }

    private func read() throws(Realm.Error) -> UInt64 {
        let statement = try prepared()
        defer { statement.reset() }
        return try statement.step() ? UInt64(bitPattern: statement.int(0)) : 0
    }

    private func prepared() throws(Realm.Error) -> Statement {
        if let statement { return statement }
        let connection = try Connection(
            fileURL: URL(fileURLWithPath: path),
            key: key.key,
            isReadOnly: true,
            isDurable: true
        )
        let made = try connection.prepare(ChangeLog.newestVersion)
        self.connection = connection
        statement = made
        return made
    }
}
