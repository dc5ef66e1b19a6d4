import ArgumentParser
import AuditArchives
import AuditModel
import Foundation
import RealmWindow

/// How a realm file is opened.
struct RealmFileOptions: ParsableArguments {
    /// How many bytes a key has.
    private static let keyBytes = 64

    @Option(
        help: ArgumentHelp("The key of an encrypted file: 128 hexadecimal digits.", valueName: "file"),
        completion: .file()
    )
    var keyFile: String?

    /// Opens a file with the classes that it has.
    ///
    /// - Throws: `CommandError` when the key cannot be read, and the error of the window when the file cannot; the text says why.
    func window(_ path: String, isWritable: Bool = false) throws -> RealmWindow {
        try RealmWindow(URL(fileURLWithPath: path), encryptionKey: try key(), isWritable: isWritable)
    }

    /// The key; nil when none was named.
    func key() throws -> Data? {
        guard let keyFile else { return nil }
        guard let text = try PrivateFile.read(keyFile) else { throw CommandError.missingFile(keyFile) }
        let digits = String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace }
        var bytes: [UInt8] = []
        var rest = digits[...]
        while let byte = UInt8(rest.prefix(2), radix: 16), rest.count >= 2 {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        guard rest.isEmpty, bytes.count == Self.keyBytes else { throw CommandError.malformedRealmKey(keyFile) }
        return Data(bytes)
    }
}
