import Synchronization

/// The reads of one instance of a realm that its observer has yet to take.
///
/// An observer keeps all that happens in one order, under a lock. The ring lets the one thread that works with an instance add a
/// read without that lock, and without a reference to the observer that is counted:
///
/// ```
///  instance ── append ──▶ │ head … tail │ ── take ──▶ observer, under its lock
/// ```
///
/// The observer has **one** ring open at a time, and takes what is in it before it keeps anything else. A ring that is closed refuses
/// reads, which then go to the observer. So what happens in turn is kept in turn, whichever instances it came from.
public final class ReadRing: @unchecked Sendable {
    // SAFETY: the entries from `head` to `tail` are the observer's, all others the producer's. Both numbers are atomic or guarded by the
    // observer's lock, and the other properties say below whose they are.

    /// How many reads there is room for: 8 KiB, which stay in the nearest cache.
    public static let capacity = 256
    /// How many bytes the rows of its reads have at most, so that an observer that counts them is never far behind: 64 KiB.
    public static let maximumBytes = 64 << 10

    /// A read as its observer takes it.
    public struct Read {
        /// Where in its chunk the row lies; its shape is that of the chunk.
        public let place: UInt32
        /// The size of the row in bytes.
        public let byteCount: Int
        /// The wall clock at the read.
        public let wall: EventInstant
        /// The monotonic clock at the read.
        public let monotonicNanoseconds: UInt64

        @inlinable
        init(_ entry: Entry) {
            place = entry.place
            byteCount = Int(entry.size >> 1)
            wall = entry.wall
            monotonicNanoseconds = entry.monotonicNanoseconds
        }
    }

    @usableFromInline
    struct Entry {
        @usableFromInline let wall: EventInstant
        @usableFromInline let monotonicNanoseconds: UInt64
        @usableFromInline let chunk: Unmanaged<SnapshotChunk>
        @usableFromInline let place: UInt32
        /// Twice the size of the row, and one more if the chunk is not that of the read before: then it is retained for the observer.
        @usableFromInline let size: UInt32
    }

    @usableFromInline let entries: UnsafeMutablePointer<Entry>
    /// The number of reads so far; only the producer changes it.
    private let tail = Atomic<Int>(0)
    /// The number of reads from which on the observer has to be asked, 0 while the ring is closed; only the observer changes it.
    private let limit = Atomic<Int>(0)
    private let clock: any EventClock
    /// The clock if it is that of the system: a call that is known costs less.
    private let systemClock: SystemClock?

    // MARK: The producer's

    /// The chunk of the latest read, while the ring is open; whoever has that read keeps it alive.
    @exclusivity(unchecked)
    private var lastChunk: Unmanaged<SnapshotChunk>?
    /// How many bytes the rows may have that come before the observer has to be asked.
    @exclusivity(unchecked)
    private var bytesLeft = 0
    /// Whether the ring was closed while the latest read was added, so that the observer may not have seen it.
    @exclusivity(unchecked)
    private var isLastInDoubt = false

    // MARK: The observer's

    /// The number of reads that were taken.
    @exclusivity(unchecked)
    @usableFromInline
    var head = 0
    /// The chunk of the latest read that was taken.
    @exclusivity(unchecked)
    @usableFromInline
    var takenChunk: SnapshotChunk?

    /// Creates a ring that is closed.
    ///
    /// - Parameter clock: Dates the reads.
    public init(clock: any EventClock) {
        self.clock = clock
        systemClock = clock as? SystemClock
        entries = .allocate(capacity: Self.capacity)
    }

    deinit {
        take { _, _ in }
        entries.deallocate()
    }
}

// MARK: - The producer

extension ReadRing {
    /// Adds a read, unless the ring is closed or full.
    ///
    /// - Returns: Whether that is all; if not, the observer must be given the read and the ring.
    public func append(_ row: ObjectSnapshot) -> Bool {
        let number = tail.load(ordering: .relaxed)
        let byteCount = row.byteCount
        // An object inside of another one's row has a shape of its own, and a row of more than 4 GiB lies alone.
        guard number < limit.load(ordering: .acquiring), byteCount <= bytesLeft, row.shape === row.chunk.shape,
            let place = UInt32(exactly: row.place)
        else { return false }
        bytesLeft -= byteCount
        let chunk = Unmanaged.passUnretained(row.chunk)
        let isOtherChunk = lastChunk?.toOpaque() != chunk.toOpaque()
        if isOtherChunk {
            _ = chunk.retain()
            lastChunk = chunk
        }
        let reading = systemClock?.recent() ?? clock.now()
        (entries + number % Self.capacity)
            .initialize(
                to: Entry(
                    wall: reading.wall,
                    monotonicNanoseconds: reading.monotonicNanoseconds,
                    chunk: chunk,
                    place: place,
                    size: UInt32(byteCount) << 1 | (isOtherChunk ? 1 : 0)
                )
            )
        // Either whoever closes the ring sees the read, or this sees that the ring is closed.
        tail.store(number + 1, ordering: .sequentiallyConsistent)
        isLastInDoubt = limit.load(ordering: .sequentiallyConsistent) == 0
        return !isLastInDoubt
    }
}

// MARK: - The observer, under its lock

extension ReadRing {
    /// Finds out whether the observer took the read that it is given with the ring; if it lies in the ring, it is removed there.
    ///
    /// Called on the producer's thread, for each read that ``append(_:)`` did not finish.
    public func hasTakenLast() -> Bool {
        guard isLastInDoubt else { return false }
        isLastInDoubt = false
        let number = tail.load(ordering: .relaxed)
        guard head < number else { return true }
        let entry = entries[head % Self.capacity]
        if entry.size & 1 == 1 { entry.chunk.release() }
        head = number
        return false
    }

    /// Lets the producer add reads until the ring is full.
    ///
    /// Called on the producer's thread.
    ///
    /// - Precondition: The ring is empty.
    public func open() {
        precondition(head == tail.load(ordering: .relaxed), "A ring was opened before its reads were taken.")
        lastChunk = nil
        bytesLeft = Self.maximumBytes
        limit.store(head + Self.capacity, ordering: .releasing)
    }

    /// Gives the reads out in order, each with the chunk that its row lies in; the ring stays open or closed.
    ///
    /// - Complexity: O(*n*) in the count of reads.
    @inlinable
    public func take(_ body: (Read, SnapshotChunk) -> Void) {
        let end = self.end
        // Many reads lie in one chunk: it is counted once for all of them.
        var chunk = takenChunk
        while head < end {
            let entry = entries[head % Self.capacity]
            if entry.size & 1 == 1 { chunk = entry.chunk.takeRetainedValue() }
            if let chunk { body(Read(entry), chunk) }
            head += 1
        }
        takenChunk = chunk
    }

    /// Refuses reads from now on, and gives out those that are there.
    ///
    /// - Complexity: O(*n*) in the count of reads.
    @inlinable
    public func close(_ body: (Read, SnapshotChunk) -> Void) {
        refuse()
        take(body)
        takenChunk = nil
    }

    @usableFromInline var end: Int { tail.load(ordering: .sequentiallyConsistent) }

    @usableFromInline
    func refuse() { limit.store(0, ordering: .sequentiallyConsistent) }
}
