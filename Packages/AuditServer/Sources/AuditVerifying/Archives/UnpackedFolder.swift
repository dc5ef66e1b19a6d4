package import AuditModel
import Foundation

/// A folder of the system's temporary ones that nobody else may enter, and that goes with this.
package final class UnpackedFolder {
    /// The folder.
    package let path: String

    /// Unpacks an archive.
    ///
    /// - Throws: As ``ExportArchive/unpack(_:into:)``, and when no folder can be made; nothing is left then.
    package init(of archive: String) throws(AuditServerError) {
        // LIVE: what is unpacked for a moment lies where the system has such things.
        let place = FileManager.default.temporaryDirectory.path
        var template = Array("\(place)/daybook-verify.XXXXXX".utf8CString)
        // Made with mode 0700, and only if there is nothing of that name.
        guard mkdtemp(&template) != nil else {
            throw .inaccessible(path: place, reason: "no folder can be made in it")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try ExportArchive.unpack(archive, into: path)
    }

    deinit {
        // LIVE: the folder that this made. What cannot be removed is still nobody else's to read.
        try? FileManager.default.removeItem(atPath: path)
    }
}
