#if canImport(Combine)
import Combine
import Dispatch
import Foundation
import ObjectStore

/// Work of a subscription on its way to its queue.
// SAFETY: it belongs to a subscription, which locks what it shares.
private struct Sent: @unchecked Sendable {
    let run: () -> Void
}

/// A subscription to what is observed: it delivers as much as its subscriber asks for, and keeps one value at most.
// SAFETY: all that changes is read and written under the lock; the subscriber is called outside of it, by one thread at a time.
final class Delivery<Downstream: Subscriber>: Subscription, @unchecked Sendable {
    private enum Step {
        case value(Downstream, Downstream.Input)
        case end(Downstream, Subscribers.Completion<Downstream.Failure>, NotificationToken?)
    }

    private let queue: DispatchQueue?
    private let merge: (Downstream.Input, Downstream.Input) -> Downstream.Input
    private let lock = NSLock()
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var waiting: Downstream.Input?
    private var completion: Subscribers.Completion<Downstream.Failure>?
    private var token: NotificationToken?
    private var isDelivering = false

    init(
        to downstream: Downstream,
        on queue: DispatchQueue?,
        merge: @escaping (Downstream.Input, Downstream.Input) -> Downstream.Input
    ) {
        self.downstream = downstream
        self.queue = queue
        self.merge = merge
    }

    // MARK: - What is observed

    /// Keeps the observation for as long as the subscription lasts.
    func keep(_ token: NotificationToken) {
        let isOver = lock.withLock {
            if downstream != nil { self.token = token }
            return downstream == nil
        }
        if isOver { token.invalidate() }
    }

    /// Delivers a value, or keeps it until it is asked for.
    func offer(_ value: Downstream.Input) {
        lock.withLock {
            guard downstream != nil, completion == nil else { return }
            waiting = waiting.map { merge($0, value) } ?? value
        }
        deliver()
    }

    /// Ends the subscription.
    func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
        lock.withLock {
            guard self.completion == nil else { return }
            self.completion = completion
        }
        deliver()
    }

    // MARK: - The subscriber

    func request(_ demand: Subscribers.Demand) {
        let hasSomething = lock.withLock {
            self.demand += demand
            return waiting != nil && !isDelivering
        }
        guard hasSomething else { return }
        // What waits belongs to the queue; without one the subscriber asks on the executor of what is observed.
        guard let queue else { return deliver() }
        let work = Sent { self.deliver() }
        queue.async { work.run() }
    }

    func cancel() {
        let (dropped, _, _) = lock.withLock {
            defer {
                token = nil
                downstream = nil
                waiting = nil
            }
            // What is dropped is handed out, so that nothing of it ends under the lock.
            return (token, downstream, waiting)
        }
        dropped?.invalidate()
    }

    // MARK: - Delivering

    private func deliver() {
        while let step = lock.withLock({ next() }) {
            switch step {
            case .value(let downstream, let value):
                let more = downstream.receive(value)
                lock.withLock {
                    isDelivering = false
                    demand += more
                }
            case .end(let downstream, let completion, let token):
                token?.invalidate()
                downstream.receive(completion: completion)
            }
        }
    }

    /// Takes what is to be done next; under the lock.
    private func next() -> Step? {
        guard !isDelivering, let downstream else { return nil }
        if let value = waiting {
            guard demand > .none else { return nil }
            waiting = nil
            demand -= 1
            isDelivering = true
            return .value(downstream, value)
        }
        guard let completion else { return nil }
        let token = token
        self.token = nil
        self.downstream = nil
        return .end(downstream, completion, token)
    }
}
#endif
