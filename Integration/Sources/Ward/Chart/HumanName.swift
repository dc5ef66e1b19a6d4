public import Daybook

/// The name of a person, part of their record.
public final class HumanName: EmbeddedObject {
    /// The family name.
    @Persisted public var family: String
    /// The given names, in order.
    @Persisted public var given: List<String>
}
