import ArgumentParser
import AuditArchives
import AuditModel
import EventModel
import SQLiteStore
import SyncServer

/// Which realms of a server's data folder a command reads.
struct RealmOptions: ParsableArguments {
    @Option(help: "The data folder of the server; daybook-data by default.", completion: .directory)
    var data = "daybook-data"

    @Option(help: "Only the realms of this app.")
    var app: String?

    @Option(
        help: ArgumentHelp(
            "Only this realm, by its partition value with its type, such as s_ward-7.",
            valueName: "value"
        )
    )
    var realm: String?

    /// Opens the realms of the folder, also beside the server that writes them.
    ///
    /// - Throws: `CommandError.unreadable(path:reason:)` when the folder or its realms are not there.
    func store() throws -> SQLiteChangeStore {
        let path = "\(data)/realms.sqlite"
        guard PrivateFile.isFolder(data) else {
            throw CommandError.unreadable(path: data, reason: "there is no such folder")
        }
        guard PrivateFile.exists(path) else {
            throw CommandError.unreadable(path: path, reason: "the server of this folder shares no realms")
        }
        return try SQLiteChangeStore(path: path)
    }

    /// Returns the realms that are meant, in the order of their apps and values.
    func realms(in store: SQLiteChangeStore) async throws -> [RealmName] {
        try await store.realms(of: app.map { ExactText($0) })
            .filter { name in realm.map { name.value == ExactText($0) } ?? true }
    }
}
