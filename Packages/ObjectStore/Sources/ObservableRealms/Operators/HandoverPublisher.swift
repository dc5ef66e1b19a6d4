#if canImport(Combine)
public import Combine
import Dispatch

extension RealmPublishers {
    /// A publisher whose values can be received on another scheduler, which they are taken to by references.
    ///
    /// ```swift
    /// results.collectionPublisher
    ///     .filter { $0.count > 3 }
    ///     .threadSafeReference()
    ///     .receive(on: backgroundQueue)
    ///     .sink(receiveCompletion: { _ in }, receiveValue: { results in summarize(results) })
    /// ```
    public struct MakeThreadSafe<Upstream: Publisher>: Publisher {
        /// What the publisher publishes.
        public typealias Output = Upstream.Output
        /// Why it fails.
        public typealias Failure = Upstream.Failure

        let upstream: Upstream
        let pack: (Upstream.Output) -> Parcel<Upstream.Output>

        /// Subscribes without a handover.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            upstream.receive(subscriber: subscriber)
        }

        /// Delivers on a scheduler: each value is found there again.
        ///
        /// On a dispatch queue, which must be serial, it is of the queue's instance; on another scheduler of that of its thread. A value
        /// that was deleted meanwhile is left out.
        ///
        /// - Parameter scheduler: Where values are received.
        /// - Returns: A publisher of the same values, of another instance of their realm.
        public func receive<S: Scheduler>(on scheduler: S) -> Handover<Upstream, S> {
            Handover(upstream: upstream, scheduler: scheduler, pack: pack)
        }
    }

    /// A publisher that delivers on another scheduler what references found there.
    public struct Handover<Upstream: Publisher, S: Scheduler>: Publisher {
        /// What the publisher publishes.
        public typealias Output = Upstream.Output
        /// Why it fails.
        public typealias Failure = Upstream.Failure

        let upstream: Upstream
        let scheduler: S
        let pack: (Upstream.Output) -> Parcel<Upstream.Output>

        /// Subscribes to what arrives.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            let queue = scheduler as? DispatchQueue
            upstream.map(pack)
                .receive(on: scheduler)
                .compactMap { $0.open(queue) }
                .receive(subscriber: subscriber)
        }
    }

    /// The same as ``Handover``.
    public typealias DeferredHandover = Handover
    /// A publisher of an object's changes that can be received elsewhere.
    public typealias MakeThreadSafeObjectChangeset = MakeThreadSafe
    /// A publisher of an object's changes that are received elsewhere.
    public typealias DeferredHandoverObjectChangeset = Handover
    /// A publisher of a collection's changes that can be received elsewhere.
    public typealias MakeThreadSafeCollectionChangeset = MakeThreadSafe
    /// A publisher of a collection's changes that are received elsewhere.
    public typealias DeferredHandoverCollectionChangeset = Handover
    /// A publisher of a map's changes that can be received elsewhere.
    public typealias MakeThreadSafeKeyedCollectionChangeset = MakeThreadSafe
    /// A publisher of a map's changes that are received elsewhere.
    public typealias DeferredHandoverKeyedCollectionChangeset = Handover
    /// A publisher of changes of sections that can be received elsewhere.
    public typealias MakeThreadSafeSectionedChangeset = MakeThreadSafe
    /// A publisher of changes of sections that are received elsewhere.
    public typealias DeferredHandoverSectionedChangeset = Handover
}
#endif
