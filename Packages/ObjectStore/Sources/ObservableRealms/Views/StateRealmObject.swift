#if canImport(SwiftUI)
import ObjectStore
public import SwiftUI

/// An object, a list, a set or a map that a view makes once and keeps, and is made anew when it changes.
///
/// ```swift
/// struct NewDogView: View {
///     @StateRealmObject var dog = Dog()
///
///     var body: some View { TextField("Name", text: $dog.name) }
/// }
/// ```
/// Otherwise as ``ObservedRealmObject``.
@MainActor
@propertyWrapper
public struct StateRealmObject<T: RealmSubscribable & Equatable> {
    @StateObject var storage: ObservedValue<T>

    /// Creates the property; the object is made when the view first reads it.
    public init(wrappedValue: @autoclosure @escaping () -> T) {
        _storage = StateObject(wrappedValue: ObservedValue(wrappedValue()))
    }

    /// The object as it is now, frozen; an unmanaged one itself.
    public var wrappedValue: T {
        get { storage.shown }
        nonmutating set { storage.value = newValue }
    }

    /// A binding to the object; its properties can be bound to.
    public var projectedValue: Binding<T> {
        let storage = storage
        return Binding(reading: { storage.shown }, writing: { storage.value = $0 })
    }
}

extension StateRealmObject: nonisolated DynamicProperty {}
#endif
