/// How what a program made of a collection is made again in another instance.
///
/// It holds key paths, or a block of the program that makes keys of elements.
// SAFETY: key paths never change; that such a block may be called on any executor is a rule where it is taken.
final class Derivation: @unchecked Sendable {
    let make: (_Location, Realm) -> Any?

    init(_ make: @escaping (_Location, Realm) -> Any?) {
        self.make = make
    }
}

extension _Location {
    /// The place of what is made of a collection that has this place.
    func deriving(_ make: @escaping (_Location, Realm) -> Any?) -> _Location {
        _Location(.derived(content, Derivation(make)), like: self)
    }

    /// Makes what was derived from a collection in an instance; nil when the collection does not exist there.
    func derived(in realm: Realm) -> Any? {
        guard case .derived(let base, let derivation) = content else { return nil }
        return derivation.make(_Location(base, like: self), realm)
    }
}
