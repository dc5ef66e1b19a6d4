public import Daybook

/// One measured vital sign.
public final class Observation: Object {
    /// The id in the hospital's records.
    @Persisted(primaryKey: true) public var _id: String
    /// The LOINC code of what was measured.
    @Persisted(indexed: true) public var code: String
    /// What was measured, in words.
    @Persisted public var label: String
    /// `preliminary`, `final`, `amended` and so on.
    @Persisted public var status: String
    /// The measured number; nil when there are only components.
    @Persisted public var value: Double?
    /// The unit of the number, by UCUM.
    @Persisted public var unit: String?
    /// The parts of a measurement that has several, such as blood pressure.
    @Persisted public var components: List<ObservationComponent>
    /// When it was measured.
    @Persisted public var effective: Date?
    /// Who entered it on the ward; nil for imported ones.
    @Persisted public var enteredBy: String?
    /// When its number was corrected; nil while it is as it was entered.
    @Persisted public var corrected: Date?
    /// Who looked at the correction; nil while nobody has.
    @Persisted public var reviewedBy: String?
    /// Whose vital sign it is.
    @Persisted public var patient: Patient?
    /// The visit in which it was measured.
    @Persisted public var encounter: Encounter?
}
