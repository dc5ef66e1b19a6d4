import EventModel

/// Consecutive captures of the log, packed.
///
/// Nearly all captures are reads, and rows that are read one after the other lie in the same chunk of memory. A read is
/// therefore kept as its place in a chunk that the segment keeps alive as a whole: appending one counts no reference and
/// allocates nothing, and a segment is freed without a look at its reads.
struct CaptureSegment: Sendable {
    /// How many captures a segment holds at most: 24 KiB.
    static let length = 1024

    /// One capture: its clocks, and where the rest of it is.
    private struct Entry {
        let wall: EventInstant
        let monotonicNanoseconds: UInt64
        /// The index in ``chunks`` of a read, else ``boxed``.
        let chunk: UInt32
        /// The place of the row in its chunk, else the index in ``others``.
        let place: UInt32
    }

    /// Stands for a capture that lies in ``others``.
    private static let boxed = UInt32.max

    /// The position of the first capture.
    let start: Int
    private var entries: [Entry] = []
    private var chunks: [SnapshotChunk] = []
    /// The last of ``chunks``, which is compared with each read.
    private var lastChunk: ObjectIdentifier?
    private var others: [Capture.Content] = []

    init(start: Int) { self.start = start }

    /// How many captures there are.
    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }
    var isFull: Bool { entries.count == Self.length }

    /// The position behind the last capture.
    var end: Int { start + entries.count }

    /// Makes room for as many captures as a segment holds.
    mutating func reserveLength() { entries.reserveCapacity(Self.length) }

    /// Appends a read.
    @inline(__always)
    mutating func append(_ snapshot: ObjectSnapshot, at reading: ClockReading) {
        // An object inside of another one's row has a shape of its own, and a row of more than 4 GiB lies alone.
        guard snapshot.shape === snapshot.chunk.shape, let place = UInt32(exactly: snapshot.place) else {
            return append(.read(snapshot), at: reading)
        }
        append(reading.wall, reading.monotonicNanoseconds, snapshot.chunk, place)
    }

    /// Appends a read that went through a ring.
    @inline(__always)
    mutating func append(_ read: ReadRing.Read, in chunk: SnapshotChunk) {
        append(read.wall, read.monotonicNanoseconds, chunk, read.place)
    }

    @inline(__always)
    private mutating func append(_ wall: EventInstant, _ monotonic: UInt64, _ chunk: SnapshotChunk, _ place: UInt32) {
        if lastChunk != ObjectIdentifier(chunk) {
            chunks.append(chunk)
            lastChunk = ObjectIdentifier(chunk)
        }
        append(wall, monotonic, chunk: UInt32(truncatingIfNeeded: chunks.count - 1), place: place)
    }

    /// Appends a capture of another kind.
    mutating func append(_ content: Capture.Content, at reading: ClockReading) {
        others.append(content)
        let place = UInt32(truncatingIfNeeded: others.count - 1)
        append(reading.wall, reading.monotonicNanoseconds, chunk: Self.boxed, place: place)
    }

    @inline(__always)
    private mutating func append(_ wall: EventInstant, _ monotonic: UInt64, chunk: UInt32, place: UInt32) {
        entries.append(Entry(wall: wall, monotonicNanoseconds: monotonic, chunk: chunk, place: place))
    }

    /// Calls one of two closures with each capture from an index on, in order.
    ///
    /// The thread that is recorded counts references to the same chunks all the time, and two threads that count one reference
    /// by turns make each other wait. So a chunk is counted once here for all reads of it that follow each other.
    ///
    /// - Parameters:
    ///   - first: The index of the first capture.
    ///   - read: Called with a read and its index.
    ///   - other: Called with a capture of another kind and its index.
    @inline(__always)
    func visit(from first: Int, read: (CapturedRead, _ index: Int) -> Void, other: (Capture, _ index: Int) -> Void) {
        var index = first
        while index < entries.count {
            let number = entries[index].chunk
            guard number != Self.boxed else {
                other(self[index], index)
                index += 1
                continue
            }
            let chunk = chunks[Int(number)]
            while index < entries.count, entries[index].chunk == number {
                let entry = entries[index]
                let row = chunk.rowBytes(at: Int(entry.place))
                read(
                    CapturedRead(
                        row: row,
                        shape: chunk.shape,
                        wall: entry.wall,
                        monotonicNanoseconds: entry.monotonicNanoseconds
                    ),
                    index
                )
                index += 1
            }
        }
    }

    /// The capture at an index from 0 to ``count``.
    subscript(index: Int) -> Capture {
        let entry = entries[index]
        let content: Capture.Content =
            entry.chunk == Self.boxed
            ? others[Int(entry.place)] : .read(chunks[Int(entry.chunk)].snapshot(at: Int(entry.place)))
        return Capture(content, wall: entry.wall, monotonicNanoseconds: entry.monotonicNanoseconds)
    }
}
