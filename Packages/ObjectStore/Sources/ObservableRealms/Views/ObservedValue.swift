#if canImport(SwiftUI)
import Combine
import ObjectStore
import SwiftUI

/// What a view shows: a live value that is observed, and frozen whenever the view reads it.
///
/// It is used on the main actor alone, as all of a view is.
final class ObservedValue<Value: RealmSubscribable>: ObservableObject {
    /// Speaks when the value has changed, is gone, or is another one.
    let objectWillChange: AnyPublisher<Void, Never>
    private let observed: CurrentValueSubject<(value: Value, isNews: Bool), Never>
    private var shownLast: Value?

    init(_ value: Value, _ keyPaths: [String]? = nil) {
        observed = CurrentValueSubject((value: value.live ?? value, isNews: false))
        // Nothing is observed before SwiftUI subscribes: views are made more often than they are shown.
        objectWillChange =
            observed.map { observed in
                RealmPublishers.WillChange(observed.value, keyPaths)
                    .append(())
                    .prepend(observed.isNews ? [()] : [])
            }
            .switchToLatest()
            .eraseToAnyPublisher()
    }

    /// The live value.
    var value: Value {
        get { observed.value.value }
        set {
            shownLast = nil
            observed.send((value: newValue.live ?? newValue, isNews: true))
        }
    }

    /// Tells that an unmanaged value was changed, which nobody observes.
    func tellOfChange() { observed.send((value: value, isNews: true)) }

    /// The value as it is now, frozen; an unmanaged one itself.
    ///
    /// What was deleted is shown as it was last.
    var shown: Value {
        let value = value
        if value.isInvalidated { return shownLast ?? value }
        guard let realm = value.realm, !value.isFrozen else { return value }
        // In a transaction the version before it is what others see; a new object is not in it yet.
        if realm.isInWriteTransaction { return shownLast ?? value }
        if let shownLast, shownLast.realm == realm.freeze() { return shownLast }
        let frozen = value.freeze()
        shownLast = frozen
        return frozen
    }
}

extension ThreadConfined {
    /// The same thing, live; nil when it was deleted meanwhile.
    var live: Self? { isFrozen && !isInvalidated ? thaw() : self }
}

/// A value that a closure for the main actor captures.
// SAFETY: views and their bindings are used on the main actor alone; SwiftUI's closures cannot say so.
struct MainConfined<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension Binding {
    /// Creates a binding whose closures use what belongs to the main actor.
    init(reading: @escaping () -> Value, writing: @escaping (Value) -> Void) {
        let reading = MainConfined(reading)
        let writing = MainConfined(writing)
        self.init(get: { reading.value() }, set: { writing.value($0) })
    }
}
#endif
