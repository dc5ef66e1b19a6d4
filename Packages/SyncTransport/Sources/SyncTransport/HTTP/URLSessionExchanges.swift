import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Collects the answers of a URL session's tasks, and answers every redirect with no.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate {
    typealias Answer = (HTTPURLResponse, [UInt8])

    private struct Exchange {
        let continuation: CheckedContinuation<Answer, any Error>
        var body: [UInt8] = []
    }

    private let exchanges = Mutex<[Int: Exchange]>([:])

    /// Runs a task to its end.
    ///
    /// - Returns: The answer with its whole body.
    /// - Throws: `URLError` when there is no answer, `CancellationError` as soon as the calling task is cancelled.
    func perform(_ task: URLSessionDataTask) async throws -> Answer {
        let id = task.taskIdentifier
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = exchanges.withLock { exchanges in
                    // Cancelled before: the handler has run already and found nothing.
                    guard !Task.isCancelled else { return true }
                    exchanges[id] = Exchange(continuation: continuation)
                    return false
                }
                if isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    task.resume()
                }
            }
        } onCancel: {
            take(id)?.continuation.resume(throwing: CancellationError())
            task.cancel()
        }
    }

    private func take(_ id: Int) -> Exchange? {
        exchanges.withLock { $0.removeValue(forKey: id) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchanges.withLock { $0[dataTask.taskIdentifier]?.body.append(contentsOf: data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = take(task.taskIdentifier) else { return }
        if let error {
            exchange.continuation.resume(throwing: error as? URLError ?? URLError(.unknown))
        } else if let response = task.response as? HTTPURLResponse {
            exchange.continuation.resume(returning: (response, exchange.body))
        } else {
            exchange.continuation.resume(throwing: URLError(.badServerResponse))
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
