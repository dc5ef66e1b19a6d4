import Dispatch
import Foundation
import RealmWindow

/// Opens the file for each question, on a thread of its own, and closes it again.
///
/// What is open keeps a program from migrating, compacting or replacing its realm, and a version that is pinned keeps its log growing.
/// Between two questions nothing is, and a file that was replaced is simply the one that the next question finds.
final class FileReader: Sendable {
    /// How many questions may wait for their turn.
    static let maximumWaiting = 16

    private let file: URL
    private let key: Data?
    /// A realm belongs to a thread, and reading may take long: neither is for the threads that answer requests.
    private let queue = DispatchQueue(label: "daybook.realm-browser", autoreleaseFrequency: .workItem)
    private let places = Places(FileReader.maximumWaiting)

    init(_ file: URL, key: Data?) {
        self.file = file
        self.key = key
    }

    /// Reads from the newest version.
    ///
    /// - Parameter body: Is given the file; what it returns must not hold it.
    /// - Returns: What the body returns.
    /// - Throws: ``RealmBrowserError/busy``, what opening throws, and what the body throws.
    func read<Answer: Sendable>(_ body: @escaping @Sendable (RealmWindow) throws -> Answer) async throws -> Answer {
        try places.take()
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Answer, any Error>, Never>) in
            queue.async { [self] in
                let result = Result { try body(RealmWindow(file, encryptionKey: key)) }
                places.giveBack()
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }
}
