public import Dispatch

/// What ``SectionedResults`` and ``ResultsSection`` have in common.
public protocol RealmSectionedResult: ThreadConfined, Equatable, RandomAccessCollection, SendableMetatype {
    /// What makes an element belong to a section.
    associatedtype _Key: _Persistable & Hashable
    /// The elements of the sections.
    associatedtype _SectionElement: RealmCollectionValue
    /// What is observed; not meant for programs.
    var _observed: _ObservedSections<_Key, _SectionElement> { get }
    /// Makes the value that shows the same as another one shows; not meant for programs.
    static func _showing(_ observed: _ObservedSections<_Key, _SectionElement>) -> Self
}

/// Sections, or one of them, as tokens see them; not meant for programs.
public struct _ObservedSections<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
    let state: SectionState<Key, Element>
    /// The key of the one section; nil for all.
    let key: Key?
}

extension RealmSectionedResult {
    /// Calls a handler with the sections as they are, and then whenever they or their elements change.
    ///
    /// The keys of all elements are made again after each transaction of the file, since only the program knows what they depend on.
    /// A handler of one section is only called when that one changes, by the indexes that it has among all.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes are modifications, such as `name` or `dogs.name`; nil for all.
    ///   - queue: Where the handler is called, with sections of an instance of that queue; nil for the executor of this instance.
    ///     Where that instance cannot be opened the handler is never called.
    ///   - block: The handler.
    /// - Returns: What keeps the handler alive.
    /// - Precondition: As for the collection behind it; see `observe(keyPaths:on:_:)`.
    /// - Complexity: O(*n*) in the count of elements for each call.
    public func observe(
        keyPaths: [String]? = nil,
        on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        observe(stored: _SectionElement.storedKeyPaths(keyPaths), on: queue, block)
    }

    /// Calls a handler on an actor with the sections as they are, and then whenever they or their elements change.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes are modifications; nil for all.
    ///   - actor: Where the handler is called; it is not kept alive.
    ///   - block: The handler.
    /// - Returns: What keeps the handler alive, once the actor observes.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil,
        on actor: A,
        _ block: @escaping @Sendable (isolated A, SectionedResultsChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(stored: _SectionElement.storedKeyPaths(keyPaths), on: actor, block)
    }
}

extension RealmSectionedResult where _SectionElement: KeypathSortable {
    /// Calls a handler with the sections as they are, and then whenever they change; see the form with names.
    public func observe(
        keyPaths: [PartialKeyPath<_SectionElement>],
        on queue: DispatchQueue? = nil,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        observe(stored: keyPaths.map(_SectionElement.name), on: queue, block)
    }

    /// Calls a handler on an actor with the sections as they are, and then whenever they change; see the form with names.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<_SectionElement>],
        on actor: A,
        _ block: @escaping @Sendable (isolated A, SectionedResultsChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(stored: keyPaths.map(_SectionElement.name), on: actor, block)
    }
}

// MARK: - Observing

extension RealmSectionedResult {
    private func observe(
        stored keyPaths: [String]?,
        on queue: DispatchQueue?,
        _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken {
        let observed = _observed
        let results = observed.state.results
        let realm = results.requireObservable(keyPaths)
        // SAFETY: the block is only called on the executor that the caller names for it.
        nonisolated(unsafe) let block = block
        return realm.notifications.observe(
            results.subject,
            on: queue.map(Confinement.of),
            observed.handover(keyPaths) { event, there in
                block(SectionedResultsChange(event, Self._showing(there)))
            }
        ) {
            observed.observation(keyPaths) { event, _ in block(SectionedResultsChange(event, self)) }
        }
    }

    private func observe<A: Actor>(
        stored keyPaths: [String]?,
        on actor: A,
        _ block: @escaping @Sendable (isolated A, SectionedResultsChange<Self>) -> Void
    ) async -> NotificationToken {
        let observed = _observed
        let realm = observed.state.results.requireObservable(keyPaths)
        return await realm.notifications.observe(
            on: actor,
            observed.handover(keyPaths) { [weak actor] event, there in
                actor?.told(SectionedResultsChange(event, Self._showing(there)), block)
            }
        )
    }
}

extension _ObservedSections {
    /// Is called with what happened, with nil first, and with the sections.
    typealias Handler = (SectionEvent?, _ObservedSections) -> Void

    /// Makes the observation of these sections; nil when the collection behind them is gone.
    func observation(_ keyPaths: [String]?, _ handler: @escaping Handler) -> ChangeObservation? {
        guard let source = state.results.observedSource() else { return nil }
        return SectionObservation(state, source, ObservedPaths(keyPaths, of: source), key) { event in
            handler(event, self)
        }
    }

    /// Returns how a handler is made to observe the sections in another instance.
    func handover(
        _ keyPaths: [String]?,
        _ handler: @escaping @Sendable (SectionEvent?, _ObservedSections) -> Void
    ) -> Handover {
        let find = state.results.handover()
        let rule = state.rule
        let key = SectionKey(key: key)
        return Handover(
            make: { realm in
                guard let results = find(realm) as? Results<Element> else { return nil }
                return _ObservedSections(state: SectionState(results, rule), key: key.key)
                    .observation(keyPaths, handler)
            },
            fail: { _ in }
        )
    }
}

/// The key of a section on its way to another executor.
// SAFETY: a key is a value of a property or made of some, which nobody changes.
struct SectionKey<Key>: @unchecked Sendable {
    let key: Key?
}
