#if canImport(Combine)
public import Combine
import Dispatch
public import ObjectStore

/// A publisher that observes with a token, which others may want to have; not meant for programs.
public protocol _ObservingPublisher: Publisher {
    /// Subscribes, and hands on the token of the observation; none where there is nothing to observe.
    func _receive<Downstream: Subscriber>(_ subscriber: Downstream, _ keep: (NotificationToken) -> Void)
    where Downstream.Input == Output, Downstream.Failure == Failure
}

extension _ObservingPublisher {
    /// Subscribes: observes, and begins to deliver.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        _receive(subscriber) { _ in }
    }
}

/// How a publisher observes, and what it makes of it.
struct Observing<Output> {
    /// What an observation says to a subscription.
    enum Event {
        case value(Output)
        case finished
        case failed(any Error)
    }

    /// Observes on a queue, or on the executor of what is observed; nil when there is nothing to observe.
    let observe: (DispatchQueue?, @escaping (Event) -> Void) -> NotificationToken?
    /// Makes one of two values that a subscriber did not ask for in between.
    let merge: (_ earlier: Output, _ later: Output) -> Output
    /// Where values are delivered; nil for the executor of what is observed.
    var queue: DispatchQueue?

    /// Begins to deliver to a subscriber.
    func start<Downstream: Subscriber>(
        _ subscriber: Downstream,
        _ keep: (NotificationToken) -> Void,
        failure: @escaping (any Error) -> Subscribers.Completion<Downstream.Failure>
    ) where Downstream.Input == Output {
        let delivery = Delivery(to: subscriber, on: queue, merge: merge)
        subscriber.receive(subscription: delivery)
        let token = observe(queue) { event in
            switch event {
            case .value(let value): delivery.offer(value)
            case .finished: delivery.end(.finished)
            case .failed(let error): delivery.end(failure(error))
            }
        }
        guard let token else { return }
        delivery.keep(token)
        keep(token)
    }

    /// The same on a queue.
    func subscribed<S: Scheduler>(on scheduler: S) -> Observing {
        guard let queue = scheduler as? DispatchQueue else {
            preconditionFailure(
                "A realm's publisher was subscribed on a '\(S.self)'; use a serial 'DispatchQueue', where changes can be observed."
            )
        }
        var copy = self
        copy.queue = queue
        return copy
    }
}
#endif
