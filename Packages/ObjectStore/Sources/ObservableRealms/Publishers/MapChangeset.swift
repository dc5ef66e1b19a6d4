#if canImport(Combine)
public import Combine
import Dispatch
public import ObjectStore

extension RealmPublishers {
    /// A publisher of what changes in a map; it comes once as it is, first.
    ///
    /// A subscriber that did not ask for a change before the next one came is given `.initial` instead of both: it reads it anew,
    /// as after subscribing.
    public struct MapChangeset<Collection: RealmKeyedCollection>: _QueueableObservingPublisher {
        /// What changed.
        public typealias Output = RealmMapChange<Collection>
        /// Errors are published as changes.
        public typealias Failure = Never

        /// How it observes.
        public var _observing: _Observing<Output, Failure>

        init(_ observe: @escaping (DispatchQueue?, @escaping (Output) -> Void) -> NotificationToken) {
            _observing = _Observing(
                observe: { queue, handler in
                    observe(queue) { change in
                        handler(.value(change))
                        if case .error = change { handler(.end(.finished)) }
                    }
                },
                merge: { _, later in
                    guard case .update(let map, _, _, _) = later else { return later }
                    return .initial(map)
                }
            )
        }

        /// Delivers on a scheduler: maps are taken there by a thread-safe reference.
        public func receive<S: Scheduler>(on scheduler: S) -> Handover<Self, S> {
            threadSafeReference().receive(on: scheduler)
        }
    }
}
#endif
