/// A frozen value on its way to another task or thread.
///
/// Frozen objects, collections and realms may be used on any executor, which their types cannot say.
///
/// ```swift
/// let people = Frozen(realm.objects(Person.self).freeze())
/// Task.detached { print(people.value.count) }
/// ```
public struct Frozen<T: ThreadConfined>: @unchecked Sendable {
    // SAFETY: the initializer lets in what is frozen only; a frozen instance never changes and locks what it shares.
    /// The frozen value.
    public let value: T

    /// Wraps a value.
    ///
    /// - Precondition: It is frozen.
    public init(_ value: T) {
        guard value.isFrozen else {
            misuse("A '\(T.self)' that is not frozen was wrapped in 'Frozen'; call 'freeze()' first.")
        }
        self.value = value
    }
}
