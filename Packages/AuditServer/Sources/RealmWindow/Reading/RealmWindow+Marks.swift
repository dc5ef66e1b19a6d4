public import Foundation

extension RealmWindow {
    /// What a file of SQLite begins with, and what an encrypted one does.
    private static let marks = (plain: Array("SQLite format 3\0".utf8), encrypted: Array("DSE1".utf8))

    /// Whether a file is a realm, encrypted or not, as far as its first bytes tell.
    public static func isRealm(_ file: URL) -> Bool {
        let start = start(of: file)
        return start == marks.plain || start.starts(with: marks.encrypted)
    }

    /// Whether a file is an encrypted realm, as far as its first bytes tell.
    static func isEncrypted(_ file: URL) -> Bool { start(of: file).starts(with: marks.encrypted) }

    /// The first bytes; none of a file that cannot be read, of which opening it says why.
    private static func start(of file: URL) -> [UInt8] {
        guard let handle = FileHandle(forReadingAtPath: file.path),
            let bytes = try? handle.read(upToCount: marks.plain.count)
        else { return [] }
        return Array(bytes)
    }
}
