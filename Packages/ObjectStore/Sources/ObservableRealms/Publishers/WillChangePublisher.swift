#if canImport(Combine)
import Combine
import ObjectStore

extension RealmPublishers {
    /// A publisher of nothing but the fact that an object or a collection has changed.
    ///
    /// In spite of its name it speaks behind the change, when the new values can be read. What is unmanaged, frozen or of a realm
    /// that is only read never changes in this sense: it publishes nothing. It finishes when an object is deleted.
    public struct WillChange<Collection: RealmSubscribable>: _ObservingPublisher {
        /// Nothing.
        public typealias Output = Void
        /// It never fails.
        public typealias Failure = Never

        /// How it observes.
        public let _observing: _Observing<Void, Never>

        init(_ value: Collection, _ keyPaths: [String]? = nil) {
            _observing = _Observing(
                observe: { queue, handler in
                    guard let realm = value.realm, !value.isFrozen, !realm.configuration.readOnly else { return nil }
                    return value.observe(keyPaths, on: queue) { publication in
                        switch publication {
                        case .initial: break
                        case .changed: handler(.value(()))
                        case .finished, .failed: handler(.end(.finished))
                        }
                    }
                },
                merge: { _, _ in }
            )
        }
    }

    /// A publisher of nothing but the fact that a realm shows another version.
    public struct RealmWillChange: _ObservingPublisher {
        /// Nothing.
        public typealias Output = Void
        /// It never fails.
        public typealias Failure = Never

        /// How it observes.
        public let _observing: _Observing<Void, Never>

        init(_ realm: Realm) {
            _observing = _Observing(
                observe: { _, handler in
                    realm.observe { notification, _ in
                        if notification == .didChange { handler(.value(())) }
                    }
                },
                merge: { _, _ in }
            )
        }
    }
}
#endif
