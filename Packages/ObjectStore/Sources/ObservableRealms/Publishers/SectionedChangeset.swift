#if canImport(Combine)
public import Combine
import Dispatch
public import ObjectStore

extension RealmPublishers {
    /// A publisher of what changes in sections; they come once as they are, first.
    ///
    /// A subscriber that did not ask for a change before the next one came is given `.initial` instead of both: it reads them anew,
    /// as after subscribing.
    public struct SectionedChangeset<Collection: RealmSectionedResult>: _ObservingPublisher {
        /// What changed.
        public typealias Output = SectionedResultsChange<Collection>
        /// It never fails.
        public typealias Failure = Never

        private var observing: Observing<Output>

        init(_ observe: @escaping (DispatchQueue?, @escaping (Output) -> Void) -> NotificationToken) {
            observing = Observing(
                observe: { queue, handler in
                    observe(queue) { change in
                        handler(.value(change))
                    }
                },
                merge: { _, later in
                    guard case .update(let sections, _, _, _, _, _) = later else { return later }
                    return .initial(sections)
                }
            )
        }

        /// Subscribes, and hands on the token.
        public func _receive<Downstream: Subscriber>(_ subscriber: Downstream, _ keep: (NotificationToken) -> Void)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            observing.start(subscriber, keep) { _ in .finished }
        }

        /// Observes on a serial queue, with sections of an instance of that queue; it comes first behind the publisher.
        public func subscribe<S: Scheduler>(on scheduler: S) -> Self {
            var copy = self
            copy.observing = observing.subscribed(on: scheduler)
            return copy
        }

        /// Delivers on a scheduler: sections are taken there by a thread-safe reference.
        public func receive<S: Scheduler>(on scheduler: S) -> Handover<Self, S> {
            threadSafeReference().receive(on: scheduler)
        }
    }
}
#endif
