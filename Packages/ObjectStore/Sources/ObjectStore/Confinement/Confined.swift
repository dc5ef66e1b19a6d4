/// An instance on its way to its own place.
struct Confined: @unchecked Sendable {
    // SAFETY: the instance is only reached in its place.
    private let core: RealmCore

    init(_ core: RealmCore) { self.core = core }

    /// Runs work with the instance in its place.
    ///
    /// - Returns: False when the place is gone, so that the work will not run.
    func schedule(_ work: @escaping @Sendable (RealmCore) -> Void) -> Bool {
        core.confinement.schedule { work(self.core) }
    }

    /// Hands the instance over; only in its place.
    func arrive() -> RealmCore { core }
}
