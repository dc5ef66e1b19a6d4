public import EventModel
import EventProofs
import Synchronization
import TimeStamping

/// Which checkpoints of a log have a time-stamp, so that somebody who runs nothing here says that they existed before a time.
///
/// Safe to use from any thread. Time-stamps are never removed: there is one an hour at most, and each is some kilobytes.
///
/// ```swift
/// let stamped = StampedLog(in: publisher.folder)
/// let size = stamped.size(covering: entry.index)
/// ```
public final class StampedLog: Sendable {
    private struct State {
        var sizes: [UInt64]?
        var last: EventInstant?
        var concern: TimeStampConcern?
    }

    private let folder: StampFolder
    private let state = Mutex(State())

    /// Names the folder of a log; nothing is read yet.
    public init(in folder: LogFolder) {
        self.folder = folder.stamps
    }

    // MARK: Reading

    /// How many entries the checkpoints with a time-stamp have, in order; read once.
    ///
    /// - Throws: ``LogPublishingError/unusable(_:)`` when the folder cannot be read.
    public func sizes() throws(LogPublishingError) -> [UInt64] {
        try state.withLock { state throws(LogPublishingError) in try known(&state) }
    }

    /// Finds the first checkpoint with a time-stamp that an entry is in.
    ///
    /// - Parameter index: The entry's place.
    /// - Returns: How many entries that checkpoint has; nil while there is none.
    /// - Throws: As ``sizes()``.
    /// - Complexity: O(log *n*) in the time-stamps.
    public func size(covering index: UInt64) throws(LogPublishingError) -> UInt64? {
        let sizes = try sizes()
        var (low, high) = (0, sizes.count)
        while low < high {
            let middle = (low + high) / 2
            if sizes[middle] > index { high = middle } else { low = middle + 1 }
        }
        return low < sizes.count ? sizes[low] : nil
    }

    /// Reads a file of a time-stamp; nil when there is none of this size.
    ///
    /// - Parameters:
    ///   - file: Which.
    ///   - size: How many entries the checkpoint has.
    /// - Returns: Its bytes.
    /// - Throws: ``LogPublishingError/unusable(_:)`` when it cannot be read.
    public func bytes(of file: StampFolder.File, at size: UInt64) throws(LogPublishingError) -> [UInt8]? {
        // A checkpoint whose time-stamp was not kept is none.
        guard size > 0, try self.size(covering: size - 1) == size else { return nil }
        let limit = file == .reply ? TimeStampToken.maximumBytes : SignedNote.maximumBytes
        return try Self.naming { () throws(FileSystemError) in try folder.bytes(of: file, at: size, limit: limit) }
    }

    /// What is wrong with time-stamps; nil when nothing is.
    public var concern: TimeStampConcern? { state.withLock { $0.concern } }

    /// The time of the newest time-stamp, by the authority; nil before there is one.
    ///
    /// - Throws: As ``sizes()``.
    public func newestTime() throws(LogPublishingError) -> EventInstant? {
        guard let last = try sizes().last else { return nil }
        if let known = state.withLock({ $0.last }) { return known }
        let time = try bytes(of: .reply, at: last).flatMap { try? TimeStampToken($0) }?.claimedTime
        state.withLock { $0.last = time }
        return time
    }

    // MARK: Writing

    /// Keeps a time-stamp that was verified.
    func add(_ reply: [UInt8], of signed: SignedCheckpoint, at time: EventInstant) throws(LogPublishingError) {
        let size = signed.checkpoint.size
        try state.withLock { state throws(LogPublishingError) in
            let sizes = try known(&state)
            try Self.naming { () throws(FileSystemError) in try folder.put(reply, of: signed.note.bytes, at: size) }
            state.sizes = sizes + [size]
            state.last = time
        }
    }

    func note(_ concern: TimeStampConcern?) { state.withLock { $0.concern = concern } }

    private func known(_ state: inout State) throws(LogPublishingError) -> [UInt64] {
        if let sizes = state.sizes { return sizes }
        let sizes = try Self.naming { () throws(FileSystemError) in try folder.sizes() }
        state.sizes = sizes
        return sizes
    }

    private static func naming<Result>(
        _ body: () throws(FileSystemError) -> Result
    ) throws(LogPublishingError) -> Result {
        do throws(FileSystemError) {
            return try body()
        } catch {
            throw .unusable(.tileInaccessible(error))
        }
    }
}
