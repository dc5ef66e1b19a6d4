#if canImport(Combine)
public import Combine
import Dispatch
public import ObjectStore

extension RealmPublishers {
    /// A publisher of what changes in a map; it comes once as it is, first.
    ///
    /// A subscriber that did not ask for a change before the next one came is given `.initial` instead of both: it reads it anew,
    /// as after subscribing.
    public struct MapChangeset<Collection: RealmKeyedCollection>: _ObservingPublisher {
        /// What changed.
        public typealias Output = RealmMapChange<Collection>
        /// Errors are published as changes.
        public typealias Failure = Never

        private var observing: Observing<Output>

        init(_ observe: @escaping (DispatchQueue?, @escaping (Output) -> Void) -> NotificationToken) {
            observing = Observing(
                observe: { queue, handler in
                    observe(queue) { change in
                        handler(.value(change))
                        if case .error = change { handler(.finished) }
                    }
                },
                merge: { _, later in
                    guard case .update(let map, _, _, _) = later else { return later }
                    return .initial(map)
                }
            )
        }

        /// Subscribes, and hands on the token.
        public func _receive<Downstream: Subscriber>(_ subscriber: Downstream, _ keep: (NotificationToken) -> Void)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            observing.start(subscriber, keep) { _ in .finished }
        }

        /// Observes on a serial queue, with a map of an instance of that queue; it comes first behind the publisher.
        public func subscribe<S: Scheduler>(on scheduler: S) -> Self {
            var copy = self
            copy.observing = observing.subscribed(on: scheduler)
            return copy
        }

        /// Delivers on a scheduler: maps are taken there by a thread-safe reference.
        public func receive<S: Scheduler>(on scheduler: S) -> Handover<Self, S> {
            threadSafeReference().receive(on: scheduler)
        }
    }
}
#endif
