import EventModel

/// What a recorder left behind when its process ended, read again.
///
/// That is the journals that it wrote one after the other, and the writes that its realm's file kept.
struct RecoveredSession {
    /// Names all journals of the recorder.
    let id: ObjectId
    /// The journals, oldest first, the root last.
    let journals: [any ScopeJournal]
    /// The boot that all captures belong to.
    let boot: Boot
    /// The scopes that were not stored, or not wholly; committed ones first, in the order in which they ended and began.
    let scopes: [JournaledScope]
    /// Why a part of what is there could not be read; nil when all could.
    let damage: (any Error)?
    /// The journal that notes in the realm's file name; nil when there are none.
    let root: ObjectId?
    /// The realm in whose file there may be notes; nil when there are none.
    let realm: String?
    private let blocks: [JournalBlocks]
    private let writes: SessionWrites

    /// Reads journals, and the notes that name them.
    ///
    /// - Returns: The sessions, and the journals that say nothing about themselves, with the reason.
    static func sessions(
        in journals: [any ScopeJournal],
        notes: [KeptNote]
    ) -> (sessions: [RecoveredSession], unreadable: [(any ScopeJournal, any Error)]) {
        var parts: [ObjectId: [(JournalStart, any ScopeJournal)]] = [:]
        var order: [ObjectId] = []
        var unreadable: [(any ScopeJournal, any Error)] = []
        for journal in journals {
            do {
                let start = try start(of: journal)
                if parts[start.session] == nil { order.append(start.session) }
                parts[start.session, default: []].append((start, journal))
            } catch {
                unreadable.append((journal, error))
            }
        }
        return (order.compactMap { id in parts[id].map { RecoveredSession(id, $0, notes) } }, unreadable)
    }

    private static func start(of journal: any ScopeJournal) throws -> JournalStart {
        guard let first = try journal.blocks().first else {
            throw RecordingError.damagedJournal(reason: "it has no beginning")
        }
        return try JournalStart(firstBlock: try journal.read(first))
    }

    private init(_ id: ObjectId, _ parts: [(JournalStart, any ScopeJournal)], _ notes: [KeptNote]) {
        self.id = id
        let parts = parts.sorted { $0.0.part < $1.0.part }
        var contents = SessionContents()
        for (_, journal) in parts { contents.read(journal) }
        let root = parts.last.flatMap { $0.0.part == JournalStart.root ? $0.1 : nil }
        if let root { contents.read(notes.filter { $0.stream == root.id }, with: root) }
        journals = parts.map(\.1)
        boot = parts.first?.0.boot ?? .unknown
        scopes = contents.scopes.values.sorted { left, right in
            let ends = (left.end?.position ?? .max, right.end?.position ?? .max)
            return ends.0 == ends.1 ? left.id < right.id : ends.0 < ends.1
        }
        damage = contents.damage
        self.root = root?.id
        realm = root == nil ? nil : contents.realm
        blocks = contents.blocks
        writes = contents.writes
    }

    /// The captures of a scope, as far as they are there.
    func captures(of scope: JournaledScope) -> ScopeCaptures {
        ScopeCaptures(
            positions: scope.start..<(scope.end?.position ?? .max),
            kept: writes.kept(of: scope),
            journaled: blocks,
            inMemory: CaptureStretch(start: 0, segments: [])
        )
    }

    /// How many captures of a scope are there.
    func captureCount(of scope: JournaledScope) -> Int {
        let wanted = scope.start..<(scope.end?.position ?? .max)
        let journaled = blocks.reduce(0) { sum, part in
            part.blocks.reduce(sum) { $0 + $1.positions.clamped(to: wanted).count }
        }
        return journaled + writes.kept(of: scope).count
    }

    /// The ids of events that may be stored without a note of it: those that were given, behind the ones that are noted.
    ///
    /// Ids of writes stand in the realm's file from the beginning. As long as the others have none, nothing was stored.
    var uncertainEvents: [ClosedRange<ObjectId>] {
        scopes.flatMap { scope -> [ClosedRange<ObjectId>] in
            guard let first = scope.firstEvent else { return [] }
            let count = captureCount(of: scope)
            let numbered =
                scope.stored.count < count
                ? [first.following(scope.stored.count)...first.following(count - 1)] : []
            return numbered
                + writes.ids(of: scope.id).filter { !scope.stored.includes($0, number: nil) }.map { $0...$0 }
        }
    }

    /// Whether a scope was committed and all that it captured is there.
    func isComplete(_ scope: JournaledScope) -> Bool {
        guard let end = scope.end else { return false }
        return captureCount(of: scope) == end.position - scope.start
    }

    /// Notes something about a scope, for whoever recovers the journals if this process dies, too.
    func note(_ marks: [ScopeMark]) throws {
        _ = try journals.last?.append(ScopeMark.block(marks))
    }

    /// Removes the journals; the marks are in the last one, so it goes last.
    func remove() throws {
        for journal in journals { try journal.remove() }
    }
}

/// The writes of a session whose events the realm's file names.
struct SessionWrites {
    /// Those that the file holds.
    var kept: [KeptWrite] = []
    /// The events of those that are in journals.
    var journaled: [CapturedWrite.Event] = []

    /// The writes of a scope that are in no journal, in order.
    func kept(of scope: JournaledScope) -> [KeptWrite] {
        guard !kept.isEmpty else { return [] }
        let known = Set(journaled)
        return kept.filter { write in
            write.position < scope.end?.position ?? .max
                && write.events.contains { $0.scope == scope.id && !known.contains($0) }
        }
    }

    /// The ids that events of a scope have by the realm's file.
    func ids(of scope: Int) -> Set<ObjectId> {
        Set((kept.flatMap(\.events) + journaled).lazy.filter { $0.scope == scope }.map(\.id))
    }
}
