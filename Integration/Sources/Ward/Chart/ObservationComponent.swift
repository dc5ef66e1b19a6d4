public import Daybook

/// One number of a vital sign that has several.
public final class ObservationComponent: EmbeddedObject {
    /// The LOINC code of what was measured.
    @Persisted public var code: String
    /// What was measured, in words.
    @Persisted public var label: String
    /// The measured number.
    @Persisted public var value: Double?
    /// The unit of the number, by UCUM.
    @Persisted public var unit: String?
}
