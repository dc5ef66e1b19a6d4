import EventModel

/// What all active scopes see, written once: scopes remember positions in it instead of keeping copies.
///
/// The log is a row of segments of which only the last one grows. Taking a stretch seals the last segment, so the
/// background queue reads segments that nobody writes any more, and nothing is ever copied.
struct CaptureLog: Sendable {
    private var sealed: [CaptureSegment] = []
    private var tail = CaptureSegment(start: 0)

    /// The position that the next capture gets.
    var end: Int { tail.end }

    /// Appends a read.
    @inline(__always)
    mutating func append(_ snapshot: ObjectSnapshot, at reading: ClockReading) {
        tail.append(snapshot, at: reading)
        if tail.isFull { continueInNewSegment() }
    }

    /// Appends a read that went through a ring.
    @inline(__always)
    mutating func append(_ read: ReadRing.Read, in chunk: SnapshotChunk) {
        tail.append(read, in: chunk)
        if tail.isFull { continueInNewSegment() }
    }

    /// Appends a capture of another kind.
    mutating func append(_ content: Capture.Content, at reading: ClockReading) {
        tail.append(content, at: reading)
        if tail.isFull { continueInNewSegment() }
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

    @inline(never)
    private mutating func continueInNewSegment() {
        sealTail()
        // A log that filled one segment will probably fill the next.
        tail.reserveLength()
    }

    private mutating func sealTail() {
        guard !tail.isEmpty else { return }
        sealed.append(tail)
        tail = CaptureSegment(start: tail.end)
    }
}

/// The captures of one scope.
struct CaptureStretch: Sendable {
    /// The position of the first capture; the first segment may begin earlier.
    let start: Int
    let segments: ArraySlice<CaptureSegment>

    /// The position of the first capture that is here; nil when there is none.
    var firstPosition: Int? { segments.first.map { max(start, $0.start) } }

    /// The first capture; nil when there is none.
    var firstCapture: Capture? {
        segments.first.map { $0[max(0, start - $0.start)] }
    }

    /// Calls the closure with each capture and its position, in order.
    func visit(_ body: (Capture, _ position: Int) -> Void) {
        for segment in segments {
            for index in max(0, start - segment.start)..<segment.count {
                body(segment[index], segment.start + index)
            }
        }
    }
    /// Calls one of two closures with each capture and its position, in order; see ``CaptureSegment/visit(from:read:other:)``.
    @inline(__always)
    func visit(read: (CapturedRead, _ position: Int) -> Void, other: (Capture, _ position: Int) -> Void) {
        for segment in segments {
            segment.visit(from: max(0, start - segment.start)) { captured, index in
                read(captured, segment.start + index)
            } other: { capture, index in
                other(capture, segment.start + index)
            }
        }
    }
}
