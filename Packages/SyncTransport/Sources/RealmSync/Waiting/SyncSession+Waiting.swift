import ChangeModel
public import Dispatch
import SyncTransport
import Synchronization

extension SyncSession {
    /// The number of the realm's last change that the file has, as far as the session knows; 0 before the first one.
    ///
    /// The server counts the changes of all devices from 1, and every file has them in this order: two files at one position that have
    /// nothing on its way hold the same. It is up to date behind ``wait(for:)`` for the download.
    public var position: Int { board.facts.position }

    /// A direction in which a session works.
    public enum ProgressDirection: UInt, Sendable, Hashable {
        /// From the file to the server.
        case upload
        /// From the server to the file.
        case download
    }

    /// Waits until everything that the file has committed is on the server, or everything that the server has is in the file.
    ///
    /// What happens after the call is not waited for. Without the network it waits until that is back, unless the configuration has
    /// ``SyncConfiguration/cancelAsyncOpenOnNonFatalErrors``: then it makes an attempt at once, whose failure ends it.
    ///
    /// - Parameter direction: What is waited for.
    /// - Throws: `CancellationError`, and a ``SyncError`` when the session is suspended, closed or ends, and when an attempt fails that
    ///   may not.
    public func wait(for direction: ProgressDirection) async throws {
        let failures = try tooManyFailures()
        switch direction {
        case .upload: try await waitForUpload(before: failures)
        case .download: try await waitForDownload(before: failures)
        }
    }

    /// How many failures end a wait that begins now; nil where none do.
    private func tooManyFailures() throws -> Int? {
        guard configuration()?.cancelAsyncOpenOnNonFatalErrors == true else { return nil }
        let facts = board.facts
        switch life.withLock(\.machine.state) {
        case .needsUser: throw SyncError(.unauthorized)
        // The server asked for this pause, and nothing ends it.
        case .pausing(isFixed: true): if let failure = facts.failure { throw failure }
        default: take(.hurry)
        }
        return facts.failures + 1
    }

    /// Waits as ``wait(for:)`` does, and calls back.
    ///
    /// - Parameters:
    ///   - direction: What is waited for.
    ///   - queue: Where the block is called; a queue of the system's when left out.
    ///   - block: Is called once, with nil when it is done.
    public func wait(
        for direction: ProgressDirection,
        queue: DispatchQueue? = nil,
        block: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let queue = queue ?? .global()
        Task {
            do {
                try await wait(for: direction)
                queue.async { block(nil) }
            } catch {
                queue.async { block(error) }
            }
        }
    }

    /// Waits as ``wait(for:)`` does for the upload.
    ///
    /// - Returns: Whether everything is on the server; false when the waiting was in vain.
    func uploaded() async -> Bool {
        do {
            try await waitForUpload(before: nil)
            return true
        } catch {
            return false
        }
    }

    private func waitForUpload(before failures: Int?) async throws {
        let state = try await store { try $0.syncState() }
        board.didSee(state)
        let last = state.nextNumber - 1
        guard state.acknowledged < last else { return }
        try await board.untilAcknowledged(last, before: failures)
    }

    /// Asks the server for its newest entry, and waits until that is integrated.
    private func waitForDownload(before failures: Int?) async throws {
        while true {
            try await board.until(before: failures) { $0.isExchanging ? () : nil }
            let state = try await store { try $0.syncState() }
            guard let history = state.binding?.history else { continue }
            do {
                let answer = try await parts.transport.entries(
                    after: state.position,
                    history: history,
                    wait: .zero,
                    limit: 1
                )
                let head = answer.head
                return try await board.until(before: failures) { $0.position >= head ? () : nil }
            } catch let error as ChangeModelError {
                guard case .failed(let failure) = error else { throw error }
                guard failures == nil else { throw SyncError(failure) }
                // The exchange meets the same, or has not yet; it says what comes of it.
                try Task.checkCancellation()
                try await parts.environment.sleep(.seconds(1))
            }
        }
    }
}
