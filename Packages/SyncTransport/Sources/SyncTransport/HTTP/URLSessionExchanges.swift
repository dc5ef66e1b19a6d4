import EventModel
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Collects the answers of a URL session's tasks, and answers every redirect with no.
///
/// Whoever answers decides neither how much memory an answer takes nor how long it holds its place: bytes and time are
/// bounded here.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate {
    typealias Answer = (HTTPURLResponse, [UInt8])

    private struct Exchange {
        let continuation: CheckedContinuation<Result<Answer, any Error>, Never>
        let limits: AnswerLimits
        var hasBegun = false
        var body: [UInt8] = []
    }

    private let timer: any EventTimer
    private let exchanges = Mutex<[Int: Exchange]>([:])

    init(timer: any EventTimer) { self.timer = timer }

    /// Runs a task to its end.
    ///
    /// - Parameters:
    ///   - task: The task, not begun yet.
    ///   - duration: How long it may take.
    ///   - limits: How much memory and time its answer may take.
    /// - Returns: The answer with its whole body.
    /// - Throws: ``URLSessionHTTPClient/Failure`` when there is no answer, or one that is too long or too slow;
    ///   `CancellationError` as soon as the calling task is cancelled.
    func perform(
        _ task: URLSessionDataTask,
        within duration: Duration,
        _ limits: AnswerLimits
    ) async throws -> Answer {
        let id = task.taskIdentifier
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = exchanges.withLock { exchanges in
                    // Cancelled before: the handler has run already and found nothing.
                    guard !Task.isCancelled else { return true }
                    exchanges[id] = Exchange(continuation: continuation, limits: limits)
                    return false
                }
                if isCancelled {
                    continuation.resume(returning: .failure(CancellationError()))
                } else {
                    abandon(task, after: duration)
                    task.resume()
                }
            }
        } onCancel: {
            take(id)?.continuation.resume(returning: .failure(CancellationError()))
            Self.cancel(task)
        }
        return try result.get()
    }

    private func take(_ id: Int) -> Exchange? {
        exchanges.withLock { $0.removeValue(forKey: id) }
    }

    /// Ends an exchange that is not over by then.
    private func abandon(_ task: URLSessionTask, after duration: Duration) {
        timer.schedule(afterNanoseconds: UInt64(duration / .nanoseconds(1))) { [weak self, weak task] in
            guard let task else { return }
            self?.abandon(task, .tooSlow(limit: duration))
        }
    }

    /// Ends an exchange without an answer.
    private func abandon(_ task: URLSessionTask, _ failure: URLSessionHTTPClient.Failure) {
        take(task.taskIdentifier)?.continuation.resume(returning: .failure(failure))
        Self.cancel(task)
    }

    /// Cancels a task on a thread of its own.
    ///
    /// On Linux it waits for the session's queue, which a server that sends without an end keeps busy; the threads that all tasks of
    /// the process share are few, and must not wait there.
    private static func cancel(_ task: URLSessionTask) { Thread.detachNewThread { task.cancel() } }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let (limits, isFirst, isTooLong) = exchanges.withLock { exchanges in
            guard var exchange = exchanges[dataTask.taskIdentifier] else {
                return (nil as AnswerLimits?, false, false)
            }
            // Not copied while it grows.
            exchanges[dataTask.taskIdentifier] = nil
            defer { exchanges[dataTask.taskIdentifier] = exchange }
            let isFirst = !exchange.hasBegun
            exchange.hasBegun = true
            let limits = exchange.limits
            guard data.count <= limits.maximumBytes - exchange.body.count else { return (limits, isFirst, true) }
            exchange.body.append(contentsOf: data)
            return (limits, isFirst, false)
        }
        guard let limits else { return }
        if isTooLong { return abandon(dataTask, .answerTooLong(limit: limits.maximumBytes)) }
        guard isFirst else { return }
        abandon(dataTask, after: limits.maximumDuration)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = take(task.taskIdentifier) else { return }
        if let error {
            exchange.continuation.resume(
                returning: .failure(URLSessionHTTPClient.Failure(error as? URLError ?? URLError(.unknown)))
            )
        } else if let response = task.response as? HTTPURLResponse {
            exchange.continuation.resume(returning: .success((response, exchange.body)))
        } else {
            exchange.continuation.resume(
                returning: .failure(URLSessionHTTPClient.Failure(URLError(.badServerResponse)))
            )
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
