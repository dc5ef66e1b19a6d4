/// How far the captures of a recorder are journalled, and when that must go on.
///
/// A pure state: the recorder's lock guards it, and the recorder does what it says. Bytes are counted from the beginning
/// of the recorder, so that one addition and one comparison are all that a capture costs.
struct JournalProgress: Sendable {
    /// How old a capture becomes at most before it is journalled, in nanoseconds: 100 ms.
    static let maximumDelay: UInt64 = 100_000_000
    /// How long a journal that could not be written is left alone, in nanoseconds: one second.
    static let retryDelay: UInt64 = 1_000_000_000
    /// How many bytes are captured at most before they are journalled: 256 KiB.
    static let maximumUnwrittenBytes = 256 << 10
    /// How many bytes of captures are held in memory at most once they are journalled: 8 MiB.
    static let maximumHeldBytes = 8 << 20
    /// From this many bytes in memory on, a thread that reads waits until they are journalled: 16 MiB.
    static let waitingBytes = 16 << 20
    /// What a capture takes in memory besides the row that it keeps.
    static let bytesPerCapture = 24

    /// What is to be done after a capture.
    enum Step: Equatable {
        case nothing
        /// Look again when the capture has become old.
        case wait
        /// Journal what was captured, in the background.
        case write
        /// Journal what was captured before the reading thread goes on.
        case writeNow
    }

    /// The count of captured bytes at which ``step()`` must be asked; never, when nothing is journalled.
    private(set) var alarm: Int
    /// How many bytes were captured so far.
    private(set) var capturedBytes = 0
    /// The position behind the last capture that is journalled.
    private(set) var written = 0
    /// Whether a journal exists, or is about to.
    var isOpen = false
    /// Whether the journal lacks the news that a scope was committed.
    private(set) var hasUnwrittenCommit = false
    /// Whether there are captures that are not journalled yet.
    private var isWaiting = false
    private var isTimerSet = false
    private var isWriteRequested = false
    /// Whether the last writing failed.
    private(set) var isFailing = false
    private var writtenBytes = 0
    private var droppedBytes = 0

    /// Creates the state of a recorder that journals, or of one that does not.
    init(isEnabled: Bool) {
        alarm = isEnabled ? 1 : .max
    }

    /// How many bytes of captures are in memory, at most.
    var heldBytes: Int { capturedBytes - droppedBytes }

    /// Counts a capture.
    ///
    /// - Returns: Whether ``step()`` must be asked.
    @inline(__always)
    @discardableResult
    mutating func didCapture(byteCount: Int) -> Bool {
        capturedBytes &+= byteCount &+ Self.bytesPerCapture
        return isDue
    }

    /// Whether ``step()`` must be asked.
    @inline(__always)
    var isDue: Bool { capturedBytes >= alarm }

    /// Says what is to be done after a capture that reached ``alarm``.
    mutating func step() -> Step {
        let unwritten = capturedBytes - writtenBytes
        if !isWaiting, unwritten < Self.maximumUnwrittenBytes {
            isWaiting = true
            alarm = writtenBytes + Self.maximumUnwrittenBytes
            return .wait
        }
        isWaiting = true
        alarm = capturedBytes + Self.maximumUnwrittenBytes
        if isFailing { return .wait }
        if heldBytes >= Self.waitingBytes { return .writeNow }
        defer { isWriteRequested = true }
        return isWriteRequested ? .nothing : .write
    }

    /// Notes that a scope was committed whose captures are, or may come to be, in a journal.
    mutating func didCommit() {
        guard isOpen else { return }
        hasUnwrittenCommit = true
        isWaiting = true
    }

    /// Whether a timer must be set now; true once until ``timerDidFire()``.
    mutating func takeTimer() -> Bool {
        guard isWaiting, !isTimerSet else { return false }
        isTimerSet = true
        return true
    }

    /// Notes that the timer fired.
    mutating func timerDidFire() {
        isTimerSet = false
    }

    /// Notes that somebody looks at what is to be journalled.
    mutating func willWrite() {
        isWriteRequested = false
    }

    /// Notes that nothing waits to be journalled.
    mutating func didFindNothing() {
        isWaiting = false
        hasUnwrittenCommit = false
        writtenBytes = capturedBytes
        alarm = capturedBytes + 1
    }

    /// Notes what was journalled.
    ///
    /// - Parameters:
    ///   - position: The position behind the last capture that was.
    ///   - bytes: The count of captured bytes there; nil when the journal failed before all was written.
    /// - Returns: Whether the journalled captures should be dropped from memory.
    mutating func didWrite(through position: Int, bytes: Int?) -> Bool {
        written = max(written, position)
        isFailing = bytes == nil
        guard let bytes else { return false }
        writtenBytes = bytes
        hasUnwrittenCommit = false
        isWaiting = capturedBytes > bytes
        alarm = bytes + (isWaiting ? Self.maximumUnwrittenBytes : 1)
        guard heldBytes > Self.maximumHeldBytes else { return false }
        droppedBytes = bytes
        return true
    }

    /// Notes that nothing that was captured is needed any more.
    mutating func didDropAll() {
        droppedBytes = capturedBytes
        writtenBytes = capturedBytes
        if alarm < .max { alarm = capturedBytes + (isWaiting ? Self.maximumUnwrittenBytes : 1) }
    }
}
