/// How something is observed in the instance of another place.
struct Handover: Sendable {
    /// Makes the observation in an instance, at its place; nil when there is nothing to observe.
    let make: @Sendable (RealmCore) -> ChangeObservation?
    /// Tells the handler that the instance could not be opened.
    let fail: @Sendable (any Error) -> Void
}
