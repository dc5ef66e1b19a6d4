import EventModel

/// A place in the results of a search, which are in the order of the devices' clocks.
public struct SearchCursor: Sendable, Hashable, Comparable {
    /// The time of the event, in microseconds since 1970.
    let time: Int64
    /// The number that the index gave the event; later ones are greater.
    let number: Int64

    init(time: Int64, number: Int64) {
        self.time = time
        self.number = number
    }

    /// Reads the text form; nil when the text has another form.
    public init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let time = Int64(parts[0]), let number = Int64(parts[1]), number >= 0 else {
            return nil
        }
        self.init(time: time, number: number)
    }

    /// The text form, which callers pass back as it is.
    public var text: String { "\(time).\(number)" }

    /// Compares by time, and by the number of events of one time.
    public static func < (first: SearchCursor, second: SearchCursor) -> Bool {
        (first.time, first.number) < (second.time, second.number)
    }
}
