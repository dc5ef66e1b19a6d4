public import Daybook

/// One run of the demo: a shift of the whole ward.
public final class ShiftLog: Object {
    /// Counts the shifts from 1.
    @Persisted(primaryKey: true) public var number: Int
    /// When the shift began.
    @Persisted public var began: Date?
    /// When the last nurse signed off; nil when the shift was cut short.
    @Persisted public var ended: Date?
}
