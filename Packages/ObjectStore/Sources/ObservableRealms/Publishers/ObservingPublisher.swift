#if canImport(Combine)
public import Combine
import Dispatch
import ObjectStore

/// A publisher that observes with a token, which others may want to have; not meant for programs.
public protocol _ObservingPublisher: Publisher {
    /// How it observes.
    var _observing: _Observing<Output, Failure> { get }
}

extension _ObservingPublisher {
    /// Subscribes: observes, and begins to deliver.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        _observing.start(subscriber) { _ in }
    }
}

/// A publisher that can observe on a queue; not meant for programs.
public protocol _QueueableObservingPublisher: _ObservingPublisher {
    /// How it observes.
    var _observing: _Observing<Output, Failure> { get set }
}

extension _QueueableObservingPublisher {
    /// Observes on a serial queue, with what an instance of that queue has; it comes first behind the publisher.
    ///
    /// - Parameter scheduler: A serial dispatch queue.
    /// - Returns: A publisher of the same, observed there.
    public func subscribe<S: Scheduler>(on scheduler: S) -> Self {
        var copy = self
        copy._observing = _observing.subscribed(on: scheduler)
        return copy
    }
}

/// How a publisher observes, and what it makes of it; not meant for programs.
public struct _Observing<Output, Failure: Error> {
    /// What an observation says to a subscription.
    enum Event {
        case value(Output)
        case end(Subscribers.Completion<Failure>)
    }

    /// Observes on a queue, or on the executor of what is observed; nil when there is nothing to observe.
    let observe: (DispatchQueue?, @escaping (Event) -> Void) -> NotificationToken?
    /// Makes one of two values that a subscriber did not ask for in between.
    let merge: (_ earlier: Output, _ later: Output) -> Output
    /// Where values are delivered; nil for the executor of what is observed.
    private var queue: DispatchQueue?

    init(
        observe: @escaping (DispatchQueue?, @escaping (Event) -> Void) -> NotificationToken?,
        merge: @escaping (_ earlier: Output, _ later: Output) -> Output
    ) {
        self.observe = observe
        self.merge = merge
    }

    /// Begins to deliver to a subscriber, and hands on the token of the observation; none where there is nothing to observe.
    func start<Downstream: Subscriber>(_ subscriber: Downstream, _ keep: (NotificationToken) -> Void)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        let delivery = Delivery(to: subscriber, on: queue, merge: merge)
        subscriber.receive(subscription: delivery)
        let token = observe(queue) { event in
            switch event {
            case .value(let value): delivery.offer(value)
            case .end(let completion): delivery.end(completion)
            }
        }
        guard let token else { return }
        delivery.keep(token)
        keep(token)
    }

    /// The same on a queue.
    fileprivate func subscribed<S: Scheduler>(on scheduler: S) -> Self {
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
