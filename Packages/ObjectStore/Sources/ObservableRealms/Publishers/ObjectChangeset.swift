#if canImport(Combine)
public import Combine
import Dispatch
public import ObjectStore

extension RealmPublishers {
    /// A publisher of what changes in an object, or in what a projection shows of one.
    ///
    /// It finishes behind `.deleted`. Changes that a subscriber did not ask for in between come as one, with
    /// each property once.
    public struct ObjectChangeset<O: ThreadConfined>: _QueueableObservingPublisher {
        /// What changed.
        public typealias Output = ObjectChange<O>
        /// Errors are published as changes.
        public typealias Failure = Never

        /// How it observes.
        public var _observing: _Observing<Output, Failure>

        init(_ observe: @escaping (DispatchQueue?, @escaping (ObjectChange<O>) -> Void) -> NotificationToken) {
            _observing = _Observing(
                observe: { queue, handler in
                    observe(queue) { change in
                        handler(.value(change))
                        if case .change = change { return }
                        handler(.end(.finished))
                    }
                },
                merge: { earlier, later in earlier.followed(by: later) }
            )
        }

        /// Delivers on a scheduler: each object is taken there by a thread-safe reference.
        public func receive<S: Scheduler>(on scheduler: S) -> Handover<Self, S> {
            threadSafeReference().receive(on: scheduler)
        }
    }
}

extension ObjectChange {
    /// One change for two, with each property once: its first old value and its last new one.
    fileprivate func followed(by later: ObjectChange) -> ObjectChange {
        guard case .change(_, let before) = self, case .change(let object, let after) = later else { return later }
        var merged = before
        for property in after {
            if let place = merged.firstIndex(where: { $0.name == property.name }) {
                merged[place] = PropertyChange(
                    name: property.name,
                    oldValue: merged[place].oldValue,
                    newValue: property.newValue
                )
            } else {
                merged.append(property)
            }
        }
        return .change(object, merged)
    }
}
#endif
