/// What a handler of a collection or a map compares: the contents at one version, as values.
protocol ObservedContents {
    /// What a handler is called with.
    associatedtype Event

    /// What it is called with first.
    static var initial: Event { get }

    /// Reads the contents; empty ones, of the kind of those before, when the owner is gone.
    static func read(_ source: ObservedSource, after old: Self?) throws(Realm.Error) -> Self

    /// Compares these contents with older ones.
    ///
    /// - Parameters:
    ///   - old: What the handler knows.
    ///   - source: The collection or map.
    ///   - changed: The elements that changed in themselves.
    /// - Returns: What a handler is called with for the step; nil when there is no difference.
    /// - Throws: A `Realm.Error` when the file cannot be read.
    func event(
        from old: Self,
        _ source: ObservedSource,
        _ changed: ChangedElements
    ) throws(Realm.Error) -> Event?
}
