/// When events are synced to the disk, and so what a power cut may cost.
///
/// | level | a completion is called when | the death of the process costs | a power cut costs |
/// |---|---|---|---|
/// | ``eachCommit`` | the events are on the disk | nothing of these | nothing of these |
/// | ``interval(_:)`` | the system has taken the events | nothing of these | at most the events of the interval |
/// | ``system`` | the system has taken the events | nothing of these | what the system had not written by then, often 30 s |
///
/// A partition is synced as a whole when it is closed, and before its events are offered to the upload, on every level.
public enum EventDurability: Sendable, Hashable {
    /// Syncs before a completion is called; calls that wait at the same time share one sync. The default.
    case eachCommit
    /// Syncs when this time has passed since the first event that is not synced: from 10 milliseconds to an hour.
    ///
    /// Saves syncs, and with them time and wear of the disk, at the price of that time's events when the power fails.
    case interval(Duration)
    /// Leaves it to the operating system when events reach the disk.
    case system
}

extension EventDurability {
    /// Checks the interval.
    ///
    /// - Throws: ``EventModelError/invalidParameter(_:reason:)`` when it is shorter than 10 milliseconds or longer than an
    ///   hour.
    public func validate() throws(EventModelError) {
        guard case .interval(let interval) = self else { return }
        guard interval >= .milliseconds(10), interval <= .seconds(3600) else {
            throw .invalidParameter("durability", reason: "the interval of \(interval) is not from 10 ms to an hour")
        }
    }
}
