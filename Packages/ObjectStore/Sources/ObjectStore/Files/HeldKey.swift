import PageEncryption
import Synchronization

/// The key that all connections of one file in this process use.
final class HeldKey: Sendable {
    private let held: Mutex<FileKey?>

    /// Begins with a key, or none.
    init(_ key: FileKey? = nil) { held = Mutex(key) }

    /// The key; nil when the file has none.
    var key: FileKey? { held.withLock { $0 } }

    /// Takes another key, while the file is not open.
    func hold(_ key: FileKey?) { held.withLock { $0 = key } }
}

extension FileCoordinator {
    /// Lets all connections of the file use the key of a configuration, and none another one.
    ///
    /// - Throws: ``Realm/Error`` with `.invalidInput` for a key that is none, and when the file is open with another one.
    func holdKey(of configuration: Realm.Configuration) throws(Realm.Error) {
        let wanted = try RealmFile.key(configuration.encryptionKey, fileURL: configuration.fileURL)
        guard hasInstances else { return key.hold(wanted) }
        guard key.key == wanted else { throw .openWithOtherKey(path) }
    }
}
