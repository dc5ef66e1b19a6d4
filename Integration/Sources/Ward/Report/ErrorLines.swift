import Foundation
import Synchronization

/// Shows errors of the background on standard error, each different sentence once in a row.
///
/// An upload that waits for its server reports the same error at every try; one line says it.
final class ErrorLines: Sendable {
    private let last = Mutex<String?>(nil)

    /// Shows a sentence unless it was the last one.
    func show(_ sentence: String) {
        let isNew = last.withLock { last in
            defer { last = sentence }
            return last != sentence
        }
        if isNew { FileHandle.standardError.write(Data("ward-demo: \(sentence)\n".utf8)) }
    }
}
