public import Daybook

/// An order of a medication.
public final class MedicationRequest: Object {
    /// The id in the hospital's records.
    @Persisted(primaryKey: true) public var _id: String
    /// `active`, `stopped`, `completed` and so on.
    @Persisted public var status: String
    /// The medication in words.
    @Persisted public var medication: String
    /// When it was ordered.
    @Persisted public var authored: Date?
    /// Who is to take it.
    @Persisted public var patient: Patient?
    /// The visit in which it was ordered.
    @Persisted public var encounter: Encounter?
}
