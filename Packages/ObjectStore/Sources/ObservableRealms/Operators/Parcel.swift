#if canImport(Combine)
import Dispatch
import Foundation
import ObjectStore

/// A value on its way to another executor.
struct Parcel<Content> {
    /// Finds the value there, in the instance of a queue, or of the running code's executor; nil when it is gone.
    let open: (DispatchQueue?) -> Content?

    init(_ open: @escaping (DispatchQueue?) -> Content?) {
        self.open = open
    }

    /// Packs what is not there any more.
    static var empty: Parcel { Parcel { _ in nil } }
}

extension Parcel where Content: ThreadConfined {
    /// Packs a value as a reference; what is frozen or unmanaged goes as it is.
    init(_ value: Content) {
        guard !value.isInvalidated else {
            self = .empty
            return
        }
        guard let realm = value.realm, !value.isFrozen else {
            self.init { _ in value }
            return
        }
        let configuration = realm.configuration
        let reference = ThreadSafeReference(to: value)
        self.init { queue in
            // The file was open a moment ago; where it cannot be opened there is nothing to deliver.
            let there = try? Realm(configuration: configuration, queue: queue)
            return there?.resolve(reference)
        }
    }
}

extension Parcel {
    /// Packs a change of an object, with the objects that its properties refer to.
    init<T: ThreadConfined>(_ change: ObjectChange<T>) where Content == ObjectChange<T> {
        guard case .change(let object, let properties) = change else {
            self.init { _ in change }
            return
        }
        let parcel = Parcel<T>(object)
        let values = properties.map { (name: $0.name, old: Self.packed($0.oldValue), new: Self.packed($0.newValue)) }
        self.init { queue in
            parcel.open(queue)
                .map { object in
                    let properties = values.map {
                        PropertyChange(name: $0.name, oldValue: $0.old(queue), newValue: $0.new(queue))
                    }
                    return .change(object, properties)
                }
        }
    }

    private static func packed(_ value: Any?) -> (DispatchQueue?) -> Any? {
        guard let confined = value as? any ThreadConfined else { return { _ in value } }
        return packed(confined)
    }

    private static func packed<T: ThreadConfined>(_ value: T) -> (DispatchQueue?) -> Any? {
        let parcel = Parcel<T>(value)
        return { queue in parcel.open(queue) }
    }

    /// Packs a change of a collection.
    init<T: ThreadConfined>(_ change: RealmCollectionChange<T>) where Content == RealmCollectionChange<T> {
        switch change {
        case .initial(let collection):
            let parcel = Parcel<T>(collection)
            self.init { queue in parcel.open(queue).map { .initial($0) } }
        case .update(let collection, let deletions, let insertions, let modifications):
            let parcel = Parcel<T>(collection)
            self.init { queue in
                parcel.open(queue)
                    .map {
                        .update($0, deletions: deletions, insertions: insertions, modifications: modifications)
                    }
            }
        case .error: self.init { _ in change }
        }
    }

    /// Packs a change of a map.
    init<T: RealmKeyedCollection>(_ change: RealmMapChange<T>) where Content == RealmMapChange<T> {
        switch change {
        case .initial(let map):
            let parcel = Parcel<T>(map)
            self.init { queue in parcel.open(queue).map { .initial($0) } }
        case .update(let map, let deletions, let insertions, let modifications):
            let parcel = Parcel<T>(map)
            self.init { queue in
                parcel.open(queue)
                    .map {
                        .update($0, deletions: deletions, insertions: insertions, modifications: modifications)
                    }
            }
        case .error: self.init { _ in change }
        }
    }

    /// Packs a change of sections.
    init<T: ThreadConfined>(_ change: SectionedResultsChange<T>) where Content == SectionedResultsChange<T> {
        switch change {
        case .initial(let sections):
            let parcel = Parcel<T>(sections)
            self.init { queue in parcel.open(queue).map { .initial($0) } }
        case .update(let sections, let deletions, let insertions, let modifications, let inserted, let deleted):
            let parcel = Parcel<T>(sections)
            self.init { queue in
                parcel.open(queue)
                    .map {
                        .update(
                            $0,
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
}
#endif
