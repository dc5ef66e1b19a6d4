// What very old programs call, so that the compiler says what to write instead.
extension Realm {
    /// Adds an object; give a policy instead of a truth value.
    @available(*, unavailable, message: "Pass .error, .modified or .all rather than a Bool; .error is the default.")
    public func add(_ object: Object, update: Bool) {}

    /// Adds several objects; give a policy instead of a truth value.
    @available(*, unavailable, message: "Pass .error, .modified or .all rather than a Bool; .error is the default.")
    public func add<S: Sequence>(_ objects: S, update: Bool) where S.Element: Object {}
}
