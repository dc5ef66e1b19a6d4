/// How much may wait for a server.
///
/// Changes wait in the file and, while entries are integrated, in memory; a device that is never connected must not fill both.
struct PendingLimits {
    /// How many changes may wait.
    var changes = 1_000_000
    /// How many bytes they may have together, as they are sent.
    var bytes = 512 << 20

    func requireRoom(changes count: Int) throws(Realm.Error) {
        guard count > changes else { return }
        throw Realm.Error(
            .outOfDiskSpace,
            """
            \(changes) changes of this realm may wait for its server, and no more are kept; nothing of this transaction was written. Connect \
            the device, or put what belongs together into one transaction.
            """
        )
    }

    func requireRoom(bytes count: Int) throws(Realm.Error) {
        guard count > bytes else { return }
        throw Realm.Error(
            .outOfDiskSpace,
            """
            Changes of \(bytes) bytes of this realm may wait for its server, and no more are kept; nothing of this transaction was written. \
            Connect the device until the server has what waits, or write less at once.
            """
        )
    }
}
