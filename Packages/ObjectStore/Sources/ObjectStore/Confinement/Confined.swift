/// An instance on its way to its own executor.
struct Confined: @unchecked Sendable {
    // SAFETY: the instance is only reached on its executor.
    private let core: RealmCore

    init(_ core: RealmCore) { self.core = core }

    /// Runs work with the instance on its executor.
    ///
    /// - Returns: False when the executor is gone, so that the work will not run.
    func schedule(_ work: @escaping @Sendable (RealmCore) -> Void) -> Bool {
        core.confinement.schedule { work(self.core) }
    }

    /// Hands the instance over; only on its executor.
    func arrive() -> RealmCore { core }
}
