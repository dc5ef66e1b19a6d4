#if canImport(Combine)
public import Combine
public import ObjectStore

extension RealmPublishers {
    /// A publisher of an object or a collection each time that it changes; a collection comes once as it is, first.
    ///
    /// It finishes when an object is deleted, and fails only where the realm of the queue cannot be opened.
    public struct Value<Subscribable: RealmSubscribable>: _ObservingPublisher {
        /// What is observed.
        public typealias Output = Subscribable
        /// Why the realm of the queue could not be opened.
        public typealias Failure = any Error

        private var observing: Observing<Subscribable>

        init(_ value: Subscribable, _ keyPaths: [String]?) {
            observing = Observing(
                observe: { queue, handler in
                    value.observe(keyPaths, on: queue) { publication in
                        switch publication {
                        case .initial(let value), .changed(let value): handler(.value(value))
                        case .finished: handler(.finished)
                        case .failed(let error): handler(.failed(error))
                        }
                    }
                },
                merge: { _, later in later }
            )
        }

        /// Subscribes, and hands on the token.
        public func _receive<Downstream: Subscriber>(_ subscriber: Downstream, _ keep: (NotificationToken) -> Void)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            observing.start(subscriber, keep) { .failure($0) }
        }

        /// Observes on a serial queue, with values of an instance of that queue; it comes first behind the publisher.
        public func subscribe<S: Scheduler>(on scheduler: S) -> Self {
            var copy = self
            copy.observing = observing.subscribed(on: scheduler)
            return copy
        }

        /// Delivers on a scheduler: each value is taken there by a thread-safe reference.
        public func receive<S: Scheduler>(on scheduler: S) -> Handover<Self, S> {
            threadSafeReference().receive(on: scheduler)
        }
    }
}
#endif
