import EventModel

/// When what was written without a sync is synced.
struct SyncSchedule: Sendable {
    /// Whether each append is synced before it returns.
    let isImmediate: Bool
    /// The longest time that events are not synced, in nanoseconds; nil when nobody waits for it.
    private let interval: UInt64?
    private var isArmed = false

    /// Creates the schedule of a level.
    init(_ durability: EventDurability) {
        isImmediate = durability == .eachCommit
        interval =
            switch durability {
            case .interval(let interval): interval.nanoseconds
            case .eachCommit, .system: nil
            }
    }

    /// Says after how many nanoseconds to sync what was just written; nil when that is arranged already, or never.
    mutating func didWrite() -> UInt64? {
        guard let interval, !isArmed else { return nil }
        isArmed = true
        return interval
    }

    /// Notes that the time has passed; what is written from now on has its own.
    mutating func timerDidFire() {
        isArmed = false
    }
}
