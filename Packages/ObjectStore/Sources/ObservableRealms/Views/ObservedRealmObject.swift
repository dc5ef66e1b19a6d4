#if canImport(SwiftUI)
public import Combine
import ObjectStore
public import SwiftUI

/// An object, a list, a set, a map or a projection that a view is given, and is made anew when it changes.
///
/// ```swift
/// struct DogView: View {
///     @ObservedRealmObject var dog: Dog
///
///     var body: some View {
///         TextField("Name", text: $dog.name)
///         ForEach(dog.toys) { toy in Text(toy.name) }.onDelete(perform: $dog.toys.remove)
///     }
/// }
/// ```
/// The view reads a frozen object, whatever it was given, and so never meets one that was deleted: that one is shown as it was last. What
/// is written through a binding is a transaction of its own on the live object.
@MainActor
@propertyWrapper
public struct ObservedRealmObject<ObjectType: RealmSubscribable & ObservableObject & Equatable> {
    @ObservedObject var storage: ObservedValue<ObjectType>

    /// Creates the property with an object, which may be unmanaged, live or frozen.
    public init(wrappedValue: ObjectType) {
        _storage = ObservedObject(wrappedValue: ObservedValue(wrappedValue))
    }

    /// The object as it is now, frozen; an unmanaged one itself.
    public var wrappedValue: ObjectType {
        get { storage.shown }
        nonmutating set { storage.value = newValue }
    }

    /// What makes bindings to the properties.
    public var projectedValue: Wrapper { Wrapper(storage: storage) }

    /// An object whose properties can be bound to.
    @MainActor
    @dynamicMemberLookup
    public struct Wrapper {
        fileprivate let storage: ObservedValue<ObjectType>

        /// The object as it is now, frozen; an unmanaged one itself.
        public var wrappedValue: ObjectType { storage.shown }

        /// A binding to a property, which writes in a transaction of its own.
        public subscript<Value>(
            dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Value>
        ) -> Binding<Value> {
            let storage = storage
            return Binding(
                reading: { storage.shown[keyPath: keyPath] },
                writing: { value in
                    BoundWrite.set(keyPath, of: storage.value, to: value)
                    if storage.value.realm == nil { storage.tellOfChange() }
                }
            )
        }
    }
}

extension ObservedRealmObject: nonisolated DynamicProperty {}
#endif
