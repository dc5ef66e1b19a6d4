#if canImport(Combine)
public import Combine
public import ObjectStore

extension Publisher {
    /// Freezes what is published, which may then be used on any executor and never changes.
    ///
    /// A frozen value keeps its version in the file for as long as it lives.
    public func freeze<T: ThreadConfined>() -> Publishers.Map<Self, T> where Output == T {
        map { $0.freeze() }
    }

    /// Freezes the objects of changes, those that their properties refer to with them.
    public func freeze<T: ThreadConfined>() -> Publishers.Map<Self, ObjectChange<T>> where Output == ObjectChange<T> {
        map { change in
            guard case .change(let object, let properties) = change else { return change }
            return .change(object.freeze(), properties.map(\.frozen))
        }
    }

    /// Freezes the collections of changes: the places of a change are those of its collection.
    public func freeze<T: RealmCollection>() -> Publishers.Map<Self, RealmCollectionChange<T>>
    where Output == RealmCollectionChange<T> {
        map { change in
            switch change {
            case .initial(let collection): .initial(collection.freeze())
            case .update(let collection, let deletions, let insertions, let modifications):
                .update(
                    collection.freeze(),
                    deletions: deletions,
                    insertions: insertions,
                    modifications: modifications
                )
            case .error: change
            }
        }
    }

    /// Freezes the maps of changes.
    public func freeze<T: RealmKeyedCollection>() -> Publishers.Map<Self, RealmMapChange<T>>
    where Output == RealmMapChange<T> {
        map { change in
            switch change {
            case .initial(let map): .initial(map.freeze())
            case .update(let map, let deletions, let insertions, let modifications):
                .update(map.freeze(), deletions: deletions, insertions: insertions, modifications: modifications)
            case .error: change
            }
        }
    }

    /// Freezes the sections of changes.
    public func freeze<T: RealmSectionedResult>() -> Publishers.Map<Self, SectionedResultsChange<T>>
    where Output == SectionedResultsChange<T> {
        map { change in
            switch change {
            case .initial(let sections): .initial(sections.freeze())
            case .update(let sections, let deletions, let insertions, let modifications, let inserted, let deleted):
                .update(
                    sections.freeze(),
                    deletions: deletions,
                    insertions: insertions,
                    modifications: modifications,
                    sectionsToInsert: inserted,
                    sectionsToDelete: deleted
                )
            }
        }
    }
}

extension PropertyChange {
    /// The same with frozen objects; one that was deleted meanwhile has no frozen form and is left out.
    fileprivate var frozen: PropertyChange {
        PropertyChange(name: name, oldValue: oldValue.flatMap(Self.frozen), newValue: newValue.flatMap(Self.frozen))
    }

    private static func frozen(_ value: Any) -> Any? {
        guard let confined = value as? any ThreadConfined else { return value }
        if confined.isInvalidated { return nil }
        return confined.realm == nil ? confined : confined.freeze()
    }
}
#endif
