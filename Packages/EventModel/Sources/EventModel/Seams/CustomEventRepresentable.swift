/// A model class that says itself how its objects look in the payloads of events.
///
/// ```swift
/// class Patient: Object, CustomEventRepresentable {
///     @Persisted(primaryKey: true) var number: Int
///     @Persisted var name: String
///
///     func customEventRepresentation() -> String { "{\"number\":\(number)}" }
/// }
/// ```
/// Decided for the class: each of its objects in reads, insertions, deletions, old and new values looks like that, also
/// where it is embedded or expanded because its link was followed. Other classes keep the usual JSON.
public protocol CustomEventRepresentable: SendableMetatype {
    /// Returns the JSON text that stands for the object.
    ///
    /// Called in the background, when an event is made, on an object that holds what the recorded one held then. That
    /// object belongs to no realm and is valid during the call only; assigning to it changes nothing but itself. May
    /// throw, or return text that is not JSON: the event is then stored without its payload and marked, and the completion
    /// of the scope gets the error. Must not wait for the recorder.
    func customEventRepresentation() throws -> String
}
