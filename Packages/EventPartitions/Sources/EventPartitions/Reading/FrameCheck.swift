import Dispatch
import EventModel
import Synchronization

/// How far the sealed files of a folder were looked through since it was opened.
///
/// A wrong bit in a file that nobody reads would be found out years later. So each file is looked through once, a few megabytes at a
/// time: the checksums of all its frames are compared, and nothing is decrypted, unpacked or hashed.
struct FrameCheck: Sendable {
    /// How much is read in one step, in bytes.
    static let stepBytes: UInt64 = 8 << 20
    /// How long after the opening of a folder the first step comes, in nanoseconds: two seconds.
    static let delay: UInt64 = 2_000_000_000
    /// How long the pause behind each step is, in nanoseconds: a tenth of a second.
    static let pause: UInt64 = 100_000_000

    /// The partitions that were looked through.
    private(set) var done: Set<PartitionID> = []
    /// The one that is being looked through, and how far.
    private var current: (partition: PartitionID, offset: UInt64)?
    /// Whether a step is waited for.
    var isScheduled = false

    /// What comes next: a partition, and from where on.
    ///
    /// - Parameters:
    ///   - held: The partitions that are there.
    ///   - writing: The one that is written to, which is left out, and so are those that are not sealed.
    /// - Returns: nil when all were looked through.
    /// - Complexity: O(*n*) in the partitions, without a copy of any but the one that comes next.
    func next(
        among held: [PartitionID: HeldPartition],
        besides writing: PartitionID?
    ) -> (held: HeldPartition, offset: UInt64)? {
        if let current, current.partition != writing, let found = held[current.partition], found.seal != nil {
            return (found, current.offset)
        }
        var first: PartitionID?
        for id in held.keys where id != writing && !done.contains(id) && first.map({ id < $0 }) ?? true {
            if held[id]?.seal != nil { first = id }
        }
        return first.flatMap { held[$0] }.map { ($0, UInt64(PartitionPreamble.byteCount)) }
    }

    /// Notes how far a partition was looked through; nil is its end.
    mutating func didCheck(_ partition: PartitionID, to offset: UInt64?) {
        current = offset.map { (partition, $0) }
        if offset == nil { done.insert(partition) }
    }

    /// Looks through a part of a file.
    ///
    /// - Returns: Where to go on; nil at the end.
    /// - Throws: ``PartitionError/damaged(path:bytes:reason:)`` where a checksum is wrong, or something else lies than a writer leaves.
    static func check(_ held: HeldPartition, from offset: UInt64) throws(PartitionError) -> UInt64? {
        var scanner = FrameScanner(held.file, partition: held.id.id, from: offset, to: held.byteCount)
        while true {
            switch try scanner.nextFinding() {
            case nil: return nil
            case .frame(let frame):
                if frame.end - offset >= Self.stepBytes { return frame.end }
            case .damage(let bytes, _), .tornTail(let bytes), .reserved(let bytes):
                throw .damaged(path: held.path, bytes: bytes, reason: "a checksum is wrong")
            }
        }
    }
}

extension PartitionedEventFiles {
    /// Arranges that sealed files are looked through that were not yet.
    func scheduleCheck(afterNanoseconds delay: UInt64 = FrameCheck.delay) {
        let isDue = state.withLock { state in
            guard !state.check.isScheduled, !state.isClosed, state.nextCheck != nil else { return false }
            state.check.isScheduled = true
            return true
        }
        guard isDue else { return }
        timer.schedule(afterNanoseconds: delay) { [weak self] in
            self?.syncing
                .async {
                    self?.state.withLock { $0.check.isScheduled = false }
                    self?.checkSome()
                }
        }
    }

    /// Looks through a part of the sealed files, and keeps one aside that is damaged.
    private func checkSome() {
        guard let (held, offset) = state.withLock({ $0.isClosed ? nil : $0.nextCheck }) else { return }
        do throws(PartitionError) {
            let next = try FrameCheck.check(held, from: offset)
            state.withLock { $0.check.didCheck(held.id, to: next) }
        } catch {
            state.withLock { $0.check.didCheck(held.id, to: nil) }
            if case .damaged = error { setAside(damaged: held.id, error) }
            // A file that is gone or cannot be read is reported when the folder is compared with the index.
        }
        scheduleCheck(afterNanoseconds: FrameCheck.pause)
    }

    private func setAside(damaged partition: PartitionID, _ error: PartitionError) {
        do {
            // It may have been uploaded and deleted meanwhile.
            guard let held = try? held(partition) else { return }
            try salvage(held, reason: error.description)
            report(error)
        } catch let failure {
            report(error)
            report(failure)
        }
    }
}

extension PartitionedEventFiles.State {
    /// The next part of a sealed file to be looked through.
    fileprivate var nextCheck: (held: HeldPartition, offset: UInt64)? {
        check.next(among: held, besides: current)
    }
}
