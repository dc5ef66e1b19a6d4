import EventModel

/// Where an app keeps its files: `<root>/mongodb-realm/<app id>/`, and below it a folder for each user.
///
/// Ids and partition values may hold anything; they become names of lower-case letters, digits, `-`, `_` and `%xx`.
struct AppFolder: Sendable {
    /// The absolute path of the folder, without a slash at its end.
    let path: String

    init(root: String, app: String) {
        path = "\(root)/mongodb-realm/\(FileName.path(app))"
    }

    /// The file of the accounts, readable by its owner alone; no user id becomes a name with a dot.
    var accounts: String { "\(path)/accounts.json" }

    /// The key that the server of the app is known by.
    var serverKey: String { "\(path)/server.key" }

    /// The statements by which other keys of the server followed that one.
    var serverKeys: String { "\(path)/server.keys" }

    /// The receipts of partitions that the server took as a whole.
    var receipts: String { "\(path)/receipts.jsonl" }

    /// What is known of the log that the server of the app publishes.
    var log: String { "\(path)/server-log.json" }

    /// What the server's log signed and contradicts itself; nothing is sent or deleted while it is there.
    var logContradiction: String { "\(path)/server-log.contradiction" }

    /// What the server signed of a device's key; a name with a dot, which no user's folder has.
    func registration(of publicKey: [UInt8], user: String) -> String {
        "\(path)/server.registrations/\(FileName.path(user))/\(Hexadecimal.text(publicKey)).note"
    }

    func user(_ id: String) -> String { "\(path)/\(FileName.path(id))" }

    func realm(user: String, _ value: some PartitionValue) -> String {
        "\(self.user(user))/\(FileName.path(value.typedText)).realm"
    }
}
