import EventModel

/// Where a file is in sync, as long as nobody has written to it since.
///
/// Most transactions follow one of the same instance, which need not read what that has just written.
struct KnownStanding {
    /// Where the file is.
    var standing: PendingChanges.Standing
    /// How much waits.
    var totals: PendingChanges.Totals
    /// The file as the server has named it; nil before it did.
    let file: SyncReference.File?
    /// The state of the file in the transaction that this is of, and behind its commit; see ``Connection/contentState``.
    private let states: (inside: UInt32, behind: UInt32)

    /// What holds in the open transaction, and when that is committed.
    ///
    /// It must be forgotten when the transaction is rolled back, as another commit may make the same state then.
    init(
        _ standing: PendingChanges.Standing,
        _ totals: PendingChanges.Totals,
        file: SyncReference.File?,
        in state: UInt32
    ) {
        self.standing = standing
        self.totals = totals
        self.file = file
        states = (state, state &+ 1)
    }

    /// Whether the file is as it was then.
    func holds(in state: UInt32) -> Bool { state == states.inside || state == states.behind }
}

extension StoreConnection {
    /// Where the file is in sync, if that is known without reading it.
    var knownStanding: KnownStanding? {
        guard let known = touchedCells?.known, let state = connection.contentState, known.holds(in: state) else {
            return nil
        }
        return known
    }
}
