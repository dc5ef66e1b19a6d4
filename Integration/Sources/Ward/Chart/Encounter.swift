public import Daybook

/// One visit or stay of a patient.
public final class Encounter: Object {
    /// The id in the hospital's records.
    @Persisted(primaryKey: true) public var _id: String
    /// `planned`, `in-progress`, `finished` and so on.
    @Persisted public var status: String
    /// What kind of visit it was, in words.
    @Persisted public var kind: String?
    /// Why the patient came, in words.
    @Persisted public var reason: String?
    /// When it began.
    @Persisted public var start: Date?
    /// When it ended.
    @Persisted public var end: Date?
    /// Whose visit it was.
    @Persisted public var patient: Patient?
    /// What was measured, in the order of entry.
    @Persisted public var observations: List<Observation>
}
