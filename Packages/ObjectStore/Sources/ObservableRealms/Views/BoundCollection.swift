#if canImport(SwiftUI)
public import Foundation
public import ObjectStore
public import SwiftUI

/// A collection that a view is bound to, and changes in transactions of its own.
///
/// ```swift
/// ForEach(group.items) { item in ItemRow(item: item) }
///     .onDelete(perform: $group.items.remove)
///     .onMove(perform: $group.items.move)
/// ```
/// Frozen collections, as views read them, are changed where they are live; in a transaction that is open, in that one.
@MainActor
public protocol BoundCollection {
    /// The type of the collection.
    associatedtype Value
    /// The type of its elements.
    associatedtype Element: RealmCollectionValue
    /// The collection.
    var wrappedValue: Value { get }
}

extension BoundCollection where Value == ObjectStore.List<Element> {
    /// Removes the element at a place.
    public func remove(at index: Int) { BoundWrite.change(wrappedValue) { $0.remove(at: index) } }

    /// Removes the elements at some places.
    public func remove(atOffsets offsets: IndexSet) {
        BoundWrite.change(wrappedValue) { $0.remove(atOffsets: offsets) }
    }

    /// Moves the elements at some places before another one.
    public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
        BoundWrite.change(wrappedValue) { $0.move(fromOffsets: offsets, toOffset: destination) }
    }

    /// Adds an element at the end.
    public func append(_ value: Element) {
        BoundWrite.change(wrappedValue) { $0.append(BoundWrite.thawed(value)) }
    }

    /// Adds an element at a place.
    public func insert(_ value: Element, at index: Int) {
        BoundWrite.change(wrappedValue) { $0.insert(BoundWrite.thawed(value), at: index) }
    }
}

extension BoundCollection where Value == MutableSet<Element> {
    /// Adds an element.
    public func insert(_ element: Element) {
        BoundWrite.change(wrappedValue) { $0.insert(BoundWrite.thawed(element)) }
    }

    /// Removes an element.
    public func remove(_ element: Element) {
        BoundWrite.change(wrappedValue) { $0.remove(BoundWrite.thawed(element)) }
    }
}

extension BoundCollection where Value == Results<Element>, Element: Object {
    /// Adds an object to the realm, also one that the query does not find.
    public func append(_ value: Element) {
        BoundWrite.change(wrappedValue) { $0.realm?.add(BoundWrite.thawed(value)) }
    }

    /// Deletes an object.
    public func remove(_ object: Element) { BoundWrite.delete([object]) }

    /// Deletes the objects at some places of what the view shows.
    public func remove(atOffsets offsets: IndexSet) {
        let shown = wrappedValue
        BoundWrite.delete(offsets.map { shown[$0] })
    }
}

extension BoundCollection where Value == Results<Element>, Element: ProjectionObservable, Element.Root: Object {
    /// Adds the object that is projected to the realm, also one that the query does not find.
    public func append(_ value: Element) {
        BoundWrite.change(wrappedValue) { $0.realm?.add(BoundWrite.thawed(value.rootObject)) }
    }

    /// Deletes the object that is projected.
    public func remove(_ projection: Element) { BoundWrite.delete([projection.rootObject]) }

    /// Deletes the objects that are projected at some places of what the view shows.
    public func remove(atOffsets offsets: IndexSet) {
        let shown = wrappedValue
        BoundWrite.delete(offsets.map { shown[$0].rootObject })
    }
}

/// A map that a view is bound to, and changes in transactions of its own.
@MainActor
public protocol BoundMap {
    /// The type of the map.
    associatedtype Value: RealmKeyedCollection
    /// The map.
    var wrappedValue: Value { get }
}

extension BoundMap {
    /// Sets the value of a key; nil removes it.
    public func set(object: Value.Value?, for key: Value.Key) {
        BoundWrite.change(wrappedValue) { live in
            var map = live
            map[key] = object.map { BoundWrite.thawed($0) }
        }
    }

    /// Removes the value of a key.
    public func remove(_ key: Value.Key) { set(object: nil, for: key) }
}

extension BoundWrite {
    /// Deletes those objects that exist still, in one transaction.
    static func delete<T: ObjectBase>(_ objects: [T]) {
        let live = objects.compactMap(\.live).filter { !$0.isInvalidated }
        guard let first = live.first else { return }
        change(first) { $0.realm?.delete(live) }
    }
}

// MARK: - Bindings

extension Binding: BoundCollection where Value: RealmCollection {
    /// The elements.
    public typealias Element = Value.Element
}

extension Binding: BoundMap where Value: RealmKeyedCollection {}

extension ObservedRealmObject.Wrapper: BoundCollection where ObjectType: RealmCollection {
    /// The type of the collection.
    public typealias Value = ObjectType
    /// The elements.
    public typealias Element = ObjectType.Element
}

extension ObservedRealmObject.Wrapper: BoundMap where ObjectType: RealmKeyedCollection {}

extension Binding where Value: ObjectBase {
    /// Deletes the object.
    @MainActor
    public func delete() { BoundWrite.delete([wrappedValue]) }
}

extension Binding where Value: RealmSubscribable & AnyObject {
    /// A binding to a property of an object, which writes in a transaction of its own.
    public subscript<Member>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Member>) -> Binding<Member> {
        Binding<Member>(
            reading: { wrappedValue[keyPath: keyPath] },
            writing: { BoundWrite.set(keyPath, of: wrappedValue, to: $0) }
        )
    }
}

extension ObservedRealmObject.Wrapper where ObjectType: ObjectBase {
    /// Deletes the object.
    public func delete() { BoundWrite.delete([wrappedValue]) }
}
#endif
