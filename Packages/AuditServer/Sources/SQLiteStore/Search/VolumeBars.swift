import EventModel

/// The bars of a volume while events are counted.
struct VolumeBars {
    /// The first time of the first bar.
    let first: Int64
    /// The last time that is counted, in the last bar or before it.
    let last: Int64
    /// How long each bar is, in microseconds.
    let width: UInt64
    /// How many events each bar has.
    private(set) var counts: [Int64]

    /// Makes bars over a span.
    ///
    /// - Precondition: There is a bar or more, and the span does not end before it starts.
    init(from first: Int64, through last: Int64, bars: Int) {
        self.first = first
        self.last = last
        // A device's clock may say anything, so that the span may need all 64 bits.
        width = UInt64(bitPattern: last &- first) / UInt64(bars) + 1
        counts = [Int64](repeating: 0, count: bars)
    }

    /// Counts events at a time; those outside of the span are left out.
    mutating func add(_ events: Int64, at time: Int64) {
        guard time >= first, time <= last else { return }
        counts[bar(of: time)] += events
    }

    /// Counts the events of a stretch, bar by bar.
    ///
    /// - Parameters:
    ///   - start: The first time of the stretch.
    ///   - end: Its last time.
    ///   - count: How many events it has; nil when nobody knows.
    ///   - events: Counts the events between two times, both included; not asked for the last part of a stretch whose count is
    ///     known.
    /// - Throws: What the closure throws.
    mutating func add(
        from start: Int64,
        through end: Int64,
        count: Int64?,
        _ events: (_ first: Int64, _ last: Int64) throws -> Int64
    ) rethrows {
        let stop = min(end, last)
        var time = max(start, first)
        var left = start >= first && end <= last ? count : nil
        while time <= stop, left != 0 {
            let bar = bar(of: time)
            let barEnd = self.end(of: bar)
            if barEnd >= stop {
                counts[bar] += try left ?? events(time, stop)
                return
            }
            let found = try events(time, barEnd)
            counts[bar] += found
            left = left.map { $0 - found }
            time = barEnd + 1
        }
    }

    /// The same bars without events.
    var emptied: VolumeBars {
        var bars = self
        for bar in bars.counts.indices { bars.counts[bar] = 0 }
        return bars
    }

    /// Takes the events of the same bars away, as far as there are any: where time was short, more may be taken than was found.
    mutating func subtract(_ others: VolumeBars) {
        for bar in counts.indices { counts[bar] = max(0, counts[bar] - others.counts[bar]) }
    }

    private func bar(of time: Int64) -> Int { Int(UInt64(bitPattern: time &- first) / width) }

    /// The last time of a bar, or of all.
    private func end(of bar: Int) -> Int64 {
        let (offset, isOverflow) = width.multipliedReportingOverflow(by: UInt64(bar + 1))
        let span = UInt64(bitPattern: last &- first)
        guard !isOverflow, offset - 1 < span else { return last }
        return first &+ Int64(bitPattern: offset - 1)
    }
}
