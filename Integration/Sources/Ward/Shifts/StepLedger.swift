public import Foundation
import Synchronization

/// Writes down each step whose completion was called, the moment it is called.
///
/// A line is one write to a file that is opened for appending, so a killed process leaves whole lines: the kernel has
/// them. A test reads the file to know what the library promised to have stored.
public final class StepLedger: Sendable {
    private struct State {
        var file: FileHandle?
        var completed = 0
        var failures: [String] = []
    }

    private let state: Mutex<State>

    /// Opens the ledger.
    ///
    /// - Parameter url: The file to append to, or nil to count only.
    /// - Throws: What the system says when the file cannot be opened.
    public init(url: URL?) throws {
        guard let url else {
            state = Mutex(State())
            return
        }
        // LIVE: another process reads the ledger as a file.
        if !FileManager.default.fileExists(atPath: url.path) {
            try Data().write(to: url)
        }
        let file = try FileHandle(forWritingTo: url)
        try file.seekToEnd()
        state = Mutex(State(file: file))
    }

    /// Notes that the completion of a step was called.
    ///
    /// - Parameters:
    ///   - step: The step, as its events carry it in their metadata.
    ///   - error: What the completion was given.
    public func note(_ step: String, error: (any Error)?) {
        state.withLock { state in
            if let error {
                state.failures.append("step \(step): \(error)")
                return
            }
            state.completed += 1
            do {
                try state.file?.write(contentsOf: Data("\(step)\n".utf8))
            } catch {
                state.failures.append("step \(step): the ledger cannot be written: \(error)")
            }
        }
    }

    /// How many completions were called without an error.
    public var completed: Int { state.withLock { $0.completed } }

    /// What went wrong, one sentence each.
    public var failures: [String] { state.withLock { $0.failures } }
}
