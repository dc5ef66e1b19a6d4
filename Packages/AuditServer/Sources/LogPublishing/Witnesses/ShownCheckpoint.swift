import EventProofs

/// Which checkpoint readers are shown: the newest that has enough cosignatures, as long as witnesses keep up.
///
/// A reader who wants a quorum would find none on a busy log, whose newest checkpoint is younger than any witness's answer. When no
/// quorum came for the set time, readers see the newest one: that the log grows is worth more than that it waits. What is shown never
/// gets smaller.
struct ShownCheckpoint: Sendable {
    /// What is shown; nil before anything was published.
    private(set) var signed: SignedCheckpoint?
    /// Whether it has a quorum.
    private(set) var isCosigned = false
    /// Since when something is published that has no quorum, by the monotonic clock.
    private var waitingSince: UInt64?
    private var covered: UInt64?

    /// Decides anew.
    ///
    /// - Parameters:
    ///   - newest: The newest checkpoint, with the cosignatures that it has so far.
    ///   - cosigned: The newest one with a quorum.
    ///   - nanoseconds: The monotonic time.
    ///   - patience: How long readers wait for a quorum, in nanoseconds.
    mutating func decide(
        newest: SignedCheckpoint,
        cosigned: CosignedCheckpoint?,
        at nanoseconds: UInt64,
        patience: UInt64
    ) {
        let size = cosigned?.checkpoint.size
        if size != covered || (size ?? 0) >= newest.checkpoint.size { waitingSince = nil }
        covered = size
        guard let cosigned, cosigned.checkpoint.size < newest.checkpoint.size else {
            isCosigned = cosigned != nil
            signed = cosigned?.signed ?? newest
            return
        }
        let since = waitingSince ?? nanoseconds
        waitingSince = since
        let isLate = nanoseconds &- since >= patience
        isCosigned = !isLate && cosigned.checkpoint.size >= signed?.checkpoint.size ?? 0
        signed = isCosigned ? cosigned.signed : newest
    }
}
