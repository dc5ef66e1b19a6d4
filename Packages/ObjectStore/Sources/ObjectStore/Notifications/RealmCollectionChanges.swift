/// The changes of a collection, one after the other, for a loop.
///
/// ```swift
/// for await change in realm.objects(Dog.self).changes() {
///     if case .update(let dogs, _, let insertions, _) = change { show(insertions.map { dogs[$0] }) }
/// }
/// ```
/// The first change is `.initial`. What happens while the loop's body runs comes together when it asks again, so that
/// nothing piles up. The loop ends when its task is cancelled; the realm must be of the actor that runs it.
public struct RealmCollectionChanges<Observed: RealmCollection>: AsyncSequence {
    /// One change.
    public typealias Element = RealmCollectionChange<Observed>
    /// There are no errors.
    public typealias Failure = Never

    let collection: Observed
    let keyPaths: [String]?

    /// Begins to observe.
    public func makeAsyncIterator() -> Iterator { Iterator(collection, keyPaths) }

    /// Waits for the next change.
    public final class Iterator: AsyncIteratorProtocol {
        private let collection: Observed
        private let observation: CollectionObservation?
        private let signal: SignalObservation
        private var signals: AsyncStream<Void>.Iterator

        init(_ collection: Observed, _ keyPaths: [String]?) {
            let realm = collection.observable.requireObservable(keyPaths)
            realm.notifications.requireTurns(collection.observable.subject)
            // One signal is enough: it only says that there may be something to compare.
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            self.collection = collection
            observation = collection.observation(keyPaths) { _ in }
            signal = SignalObservation(realm, continuation)
            signals = stream.makeAsyncIterator()
            realm.notifications.follow(signal)
        }

        deinit {
            signal.cancel()
        }

        /// Returns the next change; nil once the task is cancelled.
        public func next() async -> RealmCollectionChange<Observed>? {
            await next(isolation: #isolation)
        }

        /// Returns the next change; nil once the task is cancelled.
        public func next(isolation actor: isolated (any Actor)?) async -> RealmCollectionChange<Observed>? {
            guard let observation else { return nil }
            while true {
                guard await signals.next(isolation: actor) != nil else { return nil }
                if let event = observation.next() { return RealmCollectionChange(event, collection) }
            }
        }
    }
}

/// Says that the instance shows another version, to whoever compares by itself.
final class SignalObservation: ChangeObservation {
    private let continuation: AsyncStream<Void>.Continuation
    private var isTold = false

    init(_ realm: RealmCore, _ continuation: AsyncStream<Void>.Continuation) {
        self.continuation = continuation
        super.init(realm)
    }

    deinit {
        continuation.finish()
    }

    override var awaitsInitialCall: Bool { !isTold }

    override func deliver() {
        guard !isTold || version != realm.store.version else { return }
        isTold = true
        version = realm.store.version
        continuation.yield()
    }
}

extension RealmCollection {
    /// The changes of the collection, beginning with the collection as it is; see ``RealmCollectionChanges``.
    ///
    /// - Parameter keyPaths: The properties whose changes are modifications, such as `name` or `dogs.name`; nil for all.
    /// - Returns: A sequence that observes once it is iterated.
    /// - Precondition: As for `observe(keyPaths:on:_:)`, when the iteration begins.
    public func changes(keyPaths: [String]? = nil) -> RealmCollectionChanges<Self> {
        RealmCollectionChanges(collection: self, keyPaths: Element.storedKeyPaths(keyPaths))
    }
}

extension RealmCollection where Element: KeypathSortable {
    /// The changes of the collection; see ``changes(keyPaths:)``.
    public func changes(keyPaths: [PartialKeyPath<Element>]) -> RealmCollectionChanges<Self> {
        RealmCollectionChanges(collection: self, keyPaths: keyPaths.map(Element.name))
    }
}
