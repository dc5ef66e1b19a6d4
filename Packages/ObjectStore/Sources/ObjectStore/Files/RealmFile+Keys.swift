import Foundation
import PageEncryption

// Files that have a key.
extension RealmFile {
    /// Takes over the key of a configuration.
    ///
    /// - Returns: The key; nil when there is none.
    /// - Throws: ``Realm/Error`` with `.invalidInput` when it has not 64 bytes.
    static func key(_ encryptionKey: Data?, fileURL: URL?) throws(Realm.Error) -> FileKey? {
        guard let encryptionKey else { return nil }
        guard let key = FileKey(encryptionKey) else {
            throw Realm.Error(
                .invalidInput,
                """
                The encryption key has \(encryptionKey.count) bytes instead of \(FileKey.count); nothing was opened. Make \
                one of \(FileKey.count) random bytes, and keep it where the system keeps secrets.
                """,
                fileURL: fileURL
            )
        }
        return key
    }

    /// The first hundred bytes of a file, as SQLite has them.
    ///
    /// - Parameters:
    ///   - start: What the file begins with: 4,096 bytes, fewer when it has no more.
    ///   - key: The key that the file should have; nil for a file that is not encrypted.
    ///   - hasLog: Whether a log or journal lies beside it, which has what a power cut kept from the file.
    ///   - url: The file, for the error.
    /// - Returns: The bytes; nil when only the log has them.
    /// - Throws: ``Realm/Error`` with `.invalidDatabase` when the key is not that of the file.
    static func header(
        _ start: [UInt8],
        _ key: FileKey?,
        hasLog: Bool,
        _ url: URL
    ) throws(Realm.Error) -> [UInt8]? {
        func invalid(_ sentence: String) -> Realm.Error { Realm.Error(.invalidDatabase, sentence, fileURL: url) }
        guard let key else {
            guard !SealedFileState.isSealed(start) else {
                throw invalid("The realm '\(url.path)' is encrypted; set 'encryptionKey' to its key.")
            }
            return Array(start.prefix(100))
        }
        switch SealedFileState(start, key) {
        case .header(let header): return header
        case .notSealed:
            guard start.starts(with: Array("SQLite format 3\0".utf8)) else {
                throw invalid("The file '\(url.path)' is not a realm.")
            }
            throw invalid(
                """
                The realm '\(url.path)' is not encrypted, but there is an encryption key; encrypt it with 'Realm.rekey', or set \
                'encryptionKey' to nil.
                """
            )
        case .otherKey:
            throw invalid(
                """
                The realm '\(url.path)' cannot be read with this encryption key: it was encrypted with another one, or its first \
                page is damaged; set 'encryptionKey' to its key, put back a whole copy, or delete it with 'Realm.deleteFiles(for:)' \
                and begin anew.
                """
            )
        case .damaged:
            guard hasLog else {
                throw invalid(
                    """
                    The first page of the encrypted realm '\(url.path)' was changed or cut off; put back a whole copy, or delete it \
                    with 'Realm.deleteFiles(for:)' and begin anew.
                    """
                )
            }
            return nil
        }
    }

    /// Whether a log or a journal with contents lies beside a file.
    static func hasLog(_ path: String) -> Bool {
        ["\(path)-wal", "\(path)-journal"]
            .contains { companion in
                // LIVE: SQLite keeps them beside the file.
                let size = (try? FileManager.default.attributesOfItem(atPath: companion)[.size] as? Int) ?? 0
                return size > 0
            }
    }
}
