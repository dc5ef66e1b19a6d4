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
