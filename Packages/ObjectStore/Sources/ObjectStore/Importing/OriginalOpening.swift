import Foundation
import OriginalFiles

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Finds out before a file is opened whether the original wrote it, and makes a realm of it if the configuration says so.
struct OriginalOpening {
    let path: String
    let configuration: Realm.Configuration

    /// What the name of the old file gets behind its end.
    static let suffix = ".original"

    /// Makes a realm of a file of the original, which is kept under another name; does nothing with other files.
    ///
    /// - Parameter isAlone: Whether nobody else uses the file.
    /// - Throws: A `Realm.Error` with `.fileFormatUpgradeRequired` when the configuration does not allow it, or why it cannot be done; the file
    ///   is as it was then.
    func settle(isAlone: Bool) throws(Realm.Error) {
        guard Self.isOriginal(path) else { return }
        guard configuration.importsOriginal else {
            throw .original(
                path,
                remedy: """
                    Set 'importsOriginal' in the configuration to have its objects imported when it is opened, or import them into another \
                    file with 'Realm.importOriginal(from:into:)'.
                    """
            )
        }
        guard !configuration.readOnly else {
            throw .original(path, remedy: "Open it once with 'readOnly' false, so that its objects can be imported.")
        }
        guard isAlone else {
            throw Realm.Error(
                .alreadyOpen,
                "The file '\(path)' is open in another process; close it there before its objects are imported.",
                fileURL: URL(fileURLWithPath: path)
            )
        }
        let original = try OriginalImport(
            URL(fileURLWithPath: path),
            encryptionKey: configuration.encryptionKey,
            nil
        )
        try FileInTheMaking.replace(at: path, keepingAs: Self.suffix) { made throws(Realm.Error) in
            try original.fill(made, configuration)
        }
    }

    /// Whether the first bytes are those of the original; false for a file that cannot be read, which others will tell.
    static func isOriginal(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: 24)
        return pread(descriptor, &header, header.count, 0) == header.count && OriginalFile.isOriginal(header: header)
    }
}
