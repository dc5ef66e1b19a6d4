import Synchronization

/// Lets a variable of an object, a collection or a result be used on several executors, each with its own instance.
///
/// ```swift
/// @ThreadSafe var person: Person? = realm.objects(Person.self).first
/// queue.async { print(person?.name ?? "deleted") }
/// ```
/// Each read finds the value anew in the instance of the running code's executor.
@propertyWrapper
public final class ThreadSafe<T: ThreadConfined>: Sendable {
    private struct Place: Sendable {
        let location: _Location
        let configuration: Realm.Configuration
    }

    private let place: Mutex<Place?>

    /// Creates a variable.
    ///
    /// - Precondition: The value is managed and not deleted, if there is one.
    public init(wrappedValue: T?) {
        place = Mutex(Self.place(of: wrappedValue))
    }

    /// The value in the instance of the running code's executor, opened if there is none; nil when it was deleted.
    ///
    /// - Precondition: A new value is managed and not deleted; the file can be opened.
    public var wrappedValue: T? {
        get {
            guard let place = place.withLock({ $0 }) else { return nil }
            let realm: Realm
            do {
                realm = try Realm(core: RealmCore.live(place.configuration, atLeast: place.location.version))
            } catch {
                misuse("The realm '\(place.location.path)' of a '@ThreadSafe' variable cannot be opened: \(error)")
            }
            return T._located(place.location, in: realm)
        }
        set {
            let new = Self.place(of: newValue)
            place.withLock { $0 = new }
        }
    }

    private static func place(of value: T?) -> Place? {
        value.map { value in
            let (realm, location) = value.required("kept in a '@ThreadSafe' variable")
            return Place(location: location, configuration: realm.configuration)
        }
    }
}
