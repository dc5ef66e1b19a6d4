/// What all active scopes see, written once: scopes remember positions in it instead of keeping copies.
///
/// The log is a row of segments of which only the last one grows. Taking a stretch seals the last segment, so the
/// background queue reads segments that nobody writes any more, and nothing is ever copied.
struct CaptureLog: Sendable {
    /// How many captures a segment holds at most: 40 KiB.
    static let segmentLength = 1024

    private var sealed: [CaptureSegment] = []
    private var tail = CaptureSegment(start: 0)

    /// The position that the next capture gets.
    var end: Int { tail.end }

    /// Appends a capture.
    mutating func append(_ capture: Capture) {
        tail.captures.append(capture)
        guard tail.captures.count == Self.segmentLength else { return }
        sealTail()
        // A log that filled one segment will probably fill the next.
        tail.captures.reserveCapacity(Self.segmentLength)
    }

    /// Returns the captures from a position up to the end.
    ///
    /// - Complexity: O(*n*) in the count of segments that are returned.
    mutating func takeStretch(from start: Int) -> CaptureStretch {
        guard start < end else { return CaptureStretch(start: start, segments: []) }
        sealTail()
        let first = sealed.lastIndex { $0.start <= start } ?? sealed.startIndex
        return CaptureStretch(start: start, segments: sealed[first...])
    }

    /// Removes the segments that lie wholly before a position.
    ///
    /// - Returns: What was removed, so that its memory is freed outside of the lock that guards the log.
    mutating func removeAll(before position: Int) -> [CaptureSegment] {
        if position == end { sealTail() }
        let count = sealed.firstIndex { $0.end > position } ?? sealed.endIndex
        let removed = Array(sealed[..<count])
        sealed.removeFirst(count)
        return removed
    }

    private mutating func sealTail() {
        guard !tail.captures.isEmpty else { return }
        sealed.append(tail)
        tail = CaptureSegment(start: tail.end)
    }
}

/// Consecutive captures of the log.
struct CaptureSegment: Sendable {
    /// The position of the first capture.
    let start: Int
    var captures: [Capture] = []

    /// The position behind the last capture.
    var end: Int { start + captures.count }
}

/// The captures of one scope.
struct CaptureStretch: Sendable {
    /// The position of the first capture; the first segment may begin earlier.
    let start: Int
    let segments: ArraySlice<CaptureSegment>

    /// Calls the closure with each capture and its position, in order.
    func visit(_ body: (Capture, _ position: Int) -> Void) {
        for segment in segments {
            let skipped = max(0, start - segment.start)
            for index in skipped..<segment.captures.count {
                body(segment.captures[index], segment.start + index)
            }
        }
    }
}
