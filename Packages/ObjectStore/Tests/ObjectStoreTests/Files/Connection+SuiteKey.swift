import Foundation
import ObjectStoreTesting
import PageEncryption

@testable import ObjectStore

extension Connection {
    /// Opens a file as ``TemporaryRealm`` has it: with the key of the suite, if it runs with one.
    convenience init(
        fileURL: URL,
        isReadOnly: Bool,
        isDurable: Bool,
        hasLog: Bool = true
    ) throws(Realm.Error) {
        try self.init(
            fileURL: fileURL,
            key: TemporaryRealm.suiteKey.flatMap { FileKey($0) },
            isReadOnly: isReadOnly,
            isDurable: isDurable,
            hasLog: hasLog
        )
    }
}
