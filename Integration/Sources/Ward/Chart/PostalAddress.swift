public import Daybook

/// A place where a person lives, part of their record.
public final class PostalAddress: EmbeddedObject {
    /// Street and number, one entry for each line.
    @Persisted public var lines: List<String>
    /// The town.
    @Persisted public var city: String?
    /// The postal code.
    @Persisted public var postalCode: String?
}
