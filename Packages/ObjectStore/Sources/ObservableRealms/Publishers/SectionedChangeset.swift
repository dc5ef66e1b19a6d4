#if canImport(Combine)
public import Combine
import Dispatch
public import ObjectStore

extension RealmPublishers {
    /// A publisher of what changes in sections; they come once as they are, first.
    ///
    /// A subscriber that did not ask for a change before the next one came is given `.initial` instead of both: it reads them anew,
    /// as after subscribing.
    public struct SectionedChangeset<Collection: RealmSectionedResult>: _QueueableObservingPublisher {
        /// What changed.
        public typealias Output = SectionedResultsChange<Collection>
        /// It never fails.
        public typealias Failure = Never

        /// How it observes.
        public var _observing: _Observing<Output, Failure>

        init(_ observe: @escaping (DispatchQueue?, @escaping (Output) -> Void) -> NotificationToken) {
            _observing = _Observing(
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

        /// Delivers on a scheduler: sections are taken there by a thread-safe reference.
        public func receive<S: Scheduler>(on scheduler: S) -> Handover<Self, S> {
            threadSafeReference().receive(on: scheduler)
        }
    }
}
#endif
