public import Daybook

/// A person on the ward.
public final class Patient: Object {
    /// The id in the hospital's records.
    @Persisted(primaryKey: true) public var _id: String
    /// The official name.
    @Persisted public var name: HumanName?
    /// `male`, `female`, `other` or `unknown`.
    @Persisted public var gender: String?
    /// The day of birth, at midnight UTC.
    @Persisted public var birthDate: Date?
    /// When the person died, if they did.
    @Persisted public var deceased: Date?
    /// Where the person lives.
    @Persisted public var addresses: List<PostalAddress>
}
