import Synchronization

/// Takes an object, a collection or a result to another executor: ``Realm/resolve(_:)`` finds it there.
///
/// ```swift
/// let reference = ThreadSafeReference(to: person)
/// queue.async {
///     let realm = try Realm(queue: queue)
///     guard let person = realm.resolve(reference) else { return }  // deleted meanwhile
/// }
/// ```
/// A reference holds a class and a key, no version of the file and no realm, so that an unresolved one costs nothing.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
    private let location: _Location
    private let ticket = Ticket()

    /// Shared by copies of the reference, which is resolved once.
    private final class Ticket: Sendable {
        let isUsed = Atomic<Bool>(false)
    }

    /// Creates a reference.
    ///
    /// - Precondition: It is managed and not deleted, and the running code is on its executor.
    public init(to threadConfined: Confined) {
        (_, location) = threadConfined.required("referred to")
    }

    /// Whether the reference was resolved, which works once.
    public var isInvalidated: Bool { ticket.isUsed.load(ordering: .acquiring) }

    /// Takes the location out.
    func use() -> _Location {
        guard !ticket.isUsed.exchange(true, ordering: .acquiringAndReleasing) else {
            misuse("A 'ThreadSafeReference' was resolved a second time; make one for each use.")
        }
        return location
    }
}
