#if canImport(Combine)
public import Combine
import ObjectStore

extension RealmPublishers {
    /// A publisher of an object or a collection each time that it changes; a collection comes once as it is, first.
    ///
    /// It finishes when an object is deleted, and fails only where the realm of the queue cannot be opened.
    public struct Value<Subscribable: RealmSubscribable>: _QueueableObservingPublisher {
        /// What is observed.
        public typealias Output = Subscribable
        /// Why the realm of the queue could not be opened.
        public typealias Failure = any Error

        /// How it observes.
        public var _observing: _Observing<Output, Failure>

        init(_ value: Subscribable, _ keyPaths: [String]?) {
            _observing = _Observing(
                observe: { queue, handler in
                    value.observe(keyPaths, on: queue) { publication in
                        switch publication {
                        case .initial(let value), .changed(let value): handler(.value(value))
                        case .finished: handler(.end(.finished))
                        case .failed(let error): handler(.end(.failure(error)))
                        }
                    }
                },
                merge: { _, later in later }
            )
        }

        /// Delivers on a scheduler: each value is taken there by a thread-safe reference.
        public func receive<S: Scheduler>(on scheduler: S) -> Handover<Self, S> {
            threadSafeReference().receive(on: scheduler)
        }
    }
}
#endif
