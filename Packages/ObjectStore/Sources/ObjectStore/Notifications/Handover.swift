/// How something is observed in the instance of another executor.
struct Handover: Sendable {
    /// Makes the observation in an instance, on its executor; nil when there is nothing to observe.
    let make: @Sendable (RealmCore) -> ChangeObservation?
    /// Tells the handler that the instance could not be opened.
    let fail: @Sendable (any Error) -> Void
}
