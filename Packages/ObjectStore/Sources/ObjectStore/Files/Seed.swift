import Foundation
import PageEncryption

/// A file that a realm begins with when it has none yet.
struct Seed {
    let url: URL
    /// The key that it has, as the realm will.
    let key: FileKey?

    /// Copies the seed to the place of the realm unless there is a file.
    ///
    /// - Throws: ``Realm/Error``: the seed does not exist, is not a realm, or has changes in a log beside it.
    func plant(at path: String) throws(Realm.Error) {
        // LIVE: realms and their seeds are files of this machine.
        let files = FileManager.default
        guard !files.fileExists(atPath: path) else { return }
        let seed = RealmFile.canonicalPath(url)
        try RealmFile.prepare(seed, key, isReadOnly: true)
        // LIVE: SQLite keeps the log beside the file.
        let log = try? files.attributesOfItem(atPath: "\(seed)-wal")[.size] as? Int
        guard (log ?? 0) == 0 else {
            throw Realm.Error(
                .invalidInput,
                """
                The seed '\(seed)' has changes that are not in the file itself yet; write a seed with \
                'writeCopy(toFile:)'.
                """,
                fileURL: url
            )
        }
        try RealmFile.makeFolder(of: URL(fileURLWithPath: path))
        do throws(Realm.Error) {
            try FileInTheMaking.make(at: path) { made throws(Realm.Error) in try copy(seed, to: made) }
        } catch  where error.code == .fileExists {
            // Another process was faster.
        }
    }

    private func copy(_ seed: String, to made: URL) throws(Realm.Error) {
        do {
            let source = try FileHandle(forReadingFrom: URL(fileURLWithPath: seed))
            let target = try FileHandle(forWritingTo: made)
            while let bytes = try source.read(upToCount: 1 << 20), !bytes.isEmpty {
                try target.write(contentsOf: bytes)
            }
            try target.synchronize()
            try target.close()
            try source.close()
        } catch {
            throw Realm.Error(
                .fileOperationFailed,
                "The seed '\(seed)' cannot be copied: \(error.localizedDescription).",
                fileURL: url
            )
        }
    }
}
