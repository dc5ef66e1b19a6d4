import EventModel

/// A place in the results of a search, which are in the order of the devices' clocks.
public struct SearchCursor: Sendable, Hashable, Comparable {
    /// The time of the event, in microseconds since 1970.
    package let time: Int64
    /// The number that the index gave the event; later ones are greater.
    package let number: Int64

    package init(time: Int64, number: Int64) {
        self.time = time
        self.number = number
    }

    /// Compares by time, and by the number of events of one time.
    public static func < (first: SearchCursor, second: SearchCursor) -> Bool {
        (first.time, first.number) < (second.time, second.number)
    }
}
