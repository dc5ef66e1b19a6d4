public import Foundation
import PageEncryption

extension Realm {
    /// Encrypts the file of a configuration with another key, encrypts one that was not, or makes one readable that was encrypted.
    ///
    /// The file is written anew, without free pages and with keys that nothing was sealed with yet, and takes the place of the old one in
    /// one step: a power cut leaves the one or the other. The log, what was kept with transactions and what waits for a server are the
    /// same as before. What the disk still has of the old file in blocks that are free now is not erased.
    ///
    /// ```swift
    /// try Realm.rekey(configuration, to: newKey)
    /// configuration.encryptionKey = newKey
    /// let realm = try Realm(configuration: configuration)
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: Names the file and the key that it has.
    ///   - encryptionKey: The new key, 64 bytes; nil for a file that is not encrypted.
    /// - Throws: ``Error`` with `.alreadyOpen` while an instance exists in this or another process, `.invalidInput` when a key has not 64
    ///   bytes or the configuration names no file or is read-only, `.fileNotFound`, `.invalidDatabase` when the file has another key, or
    ///   why it cannot be written; the file is as it was then.
    /// - Complexity: O(*n*) in the size of the file, which is on the disk twice meanwhile.
    public static func rekey(_ configuration: Configuration, to encryptionKey: Data?) throws {
        guard let url = configuration.fileURL, !configuration.readOnly else {
            throw Error(
                .invalidInput,
                "Only a file that may be written gets another key; the configuration is read-only or names none."
            )
        }
        let old = try RealmFile.key(configuration.encryptionKey, fileURL: url)
        let new = try RealmFile.key(encryptionKey, fileURL: url)
        let path = RealmFile.canonicalPath(url)
        guard fileExists(for: configuration) else {
            throw Error(.fileNotFound, "There is no realm '\(path)' that could get another key.", fileURL: url)
        }
        try FileCoordinator.of(path: path)
            .opening(isReadOnly: false) { isAlone in
                guard isAlone else {
                    throw Error(
                        .alreadyOpen,
                        "The realm '\(path)' is open, here or in another process, and cannot get another key; close it there first.",
                        fileURL: url
                    )
                }
                try RealmFile.prepare(path, old, isReadOnly: false)
                let replacement = FileReplacement(path: path, key: new)
                try replacement.write(from: Connection(fileURL: url, key: old, isReadOnly: false, isDurable: true))
                try replacement.finish()
            }
    }
}
