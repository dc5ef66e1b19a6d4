import Foundation
import OriginalFiles

extension Realm.Error {
    /// Tells what is wrong with a file of the original.
    init(_ error: OriginalFileError, _ fileURL: URL) {
        let code: Code =
            switch error {
            case .unreadable: .fileAccess
            case .tooOld, .tooNew: .unsupportedFileFormatVersion
            default: .invalidDatabase
            }
        self.init(code, "The file '\(fileURL.path)' was not imported. \(error.description)", fileURL: fileURL)
    }

    /// Says that a file is one of the original.
    static func original(_ path: String, remedy: String) -> Realm.Error {
        Realm.Error(
            .fileFormatUpgradeRequired,
            "The file '\(path)' was written by Realm, and is none of Daybook yet. \(remedy)",
            fileURL: URL(fileURLWithPath: path)
        )
    }
}
