import EventModel

/// Losses that are in no file yet.
///
/// What callers note waits here until it can be written. Refused events are counted here, because an entry for each would
/// fill the disk that has no room for the events: the first one is due at once, more when their number has doubled or a
/// minute has passed, and all before anything else is stored or the partition is closed. A crash thus costs the ledger
/// the count of the last minute, and of refusals that their callers know of.
struct UnenteredLosses: Sendable {
    /// How long refused events are counted before they are due, in nanoseconds: one minute.
    static let patience: UInt64 = 60_000_000_000
    /// More noted losses are entered as one for each reason.
    static let maximumCount = 64

    private var noted: [LossEntry] = []
    private var refused: LossEntry?
    /// How many refused events were entered since something was stored.
    private var enteredRefusals: UInt64 = 0
    private var enteredAt: UInt64 = 0
    /// How many losses waited when they were saved in the reserved room the last time.
    private var savedCount: UInt64 = 0
    private var savedAt: UInt64 = 0

    /// Whether nothing waits.
    var isEmpty: Bool { noted.isEmpty && refused == nil }

    /// What waits, for those who ask.
    var entries: [LossEntry] { noted + (refused.map { [$0] } ?? []) }

    /// Adds what a caller lost.
    mutating func note(_ losses: [LossEntry]) {
        noted += losses
        if noted.count > Self.maximumCount { noted = noted.foldedByReason() }
    }

    /// Counts refused events.
    mutating func refuse(_ loss: LossEntry) {
        refused = refused.map { $0.merged(with: loss) } ?? loss
    }

    /// Takes what is to be entered now.
    ///
    /// - Parameters:
    ///   - now: The monotonic time in nanoseconds.
    ///   - all: Whether something is stored or closed, so that all counts must be in front of it.
    /// - Returns: The entries, which are not here any more.
    mutating func take(now: UInt64, all: Bool) -> [LossEntry] {
        defer { noted = [] }
        guard let refused, all || isDue(refused.count, now: now) else { return noted }
        self.refused = nil
        enteredRefusals = all ? 0 : enteredRefusals + refused.count
        enteredAt = now
        return noted + [refused]
    }

    /// Whether there is enough more than what was saved in the reserved room the last time.
    func isSaveDue(now: UInt64) -> Bool {
        count >= 2 * savedCount || now < savedAt || now - savedAt >= Self.patience
    }

    /// Notes that what waits is in the reserved room.
    mutating func didSave(now: UInt64) {
        (savedCount, savedAt) = (count, now)
    }

    /// How many losses wait.
    private var count: UInt64 { entries.reduce(0) { $0 &+ $1.count } }

    /// Takes back what could not be written.
    mutating func giveBack(_ losses: [LossEntry]) {
        note(losses)
    }

    private func isDue(_ count: UInt64, now: UInt64) -> Bool {
        count >= enteredRefusals || now < enteredAt || now - enteredAt >= Self.patience
    }
}

extension [LossEntry] {
    /// One entry for each reason, with the counts and times of all.
    func foldedByReason() -> [LossEntry] {
        Dictionary(grouping: self, by: \.reason).values
            .compactMap { losses in
                losses.dropFirst().reduce(losses.first) { $0?.merged(with: $1) }
            }
            .sorted { $0.reason.rawValue < $1.reason.rawValue }
    }

    /// What the ledger of a partition that goes leaves to the one that is written to: all, or its sums when it is long.
    func carriedOver() -> [LossEntry] {
        count <= UnenteredLosses.maximumCount ? self : foldedByReason()
    }
}
