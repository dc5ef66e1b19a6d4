import EventModel

/// What a recorder left behind when its process ended: the journals that it wrote one after the other, read again.
struct RecoveredSession {
    /// The journals, oldest first.
    let journals: [any ScopeJournal]
    /// The boot that all captures belong to.
    let boot: Boot
    /// The scopes that were not stored, or not wholly; committed ones first, in the order in which they ended and began.
    let scopes: [JournaledScope]
    /// Why a part of what is in the journals could not be read; nil when all could.
    let damage: (any Error)?
    private let blocks: [JournalBlocks]

    /// Reads journals.
    ///
    /// - Returns: The sessions, and the journals that say nothing about themselves, with the reason.
    static func sessions(
        in journals: [any ScopeJournal]
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
        return (order.compactMap { parts[$0].map(RecoveredSession.init) }, unreadable)
    }

    private static func start(of journal: any ScopeJournal) throws -> JournalStart {
        guard let first = try journal.blocks().first else {
            throw RecordingError.damagedJournal(reason: "it has no beginning")
        }
        let bytes = try journal.read(first)
        return try bytes.withUnsafeBytes { buffer in
            var reader = ByteReader(buffer)
            guard try reader.byte() == JournalBlockKind.start.rawValue else {
                throw RecordingError.damagedJournal(reason: "it has no beginning")
            }
            return try JournalStart(&reader)
        }
    }

    private init(_ parts: [(JournalStart, any ScopeJournal)]) {
        let parts = parts.sorted { $0.0.part < $1.0.part }
        var contents = SessionContents()
        for (_, journal) in parts { contents.read(journal) }
        journals = parts.map(\.1)
        boot = parts.first?.0.boot ?? .unknown
        scopes = contents.scopes.values.sorted { left, right in
            let ends = (left.end?.position ?? .max, right.end?.position ?? .max)
            return ends.0 == ends.1 ? left.id < right.id : ends.0 < ends.1
        }
        damage = contents.damage
        blocks = contents.blocks
    }

    /// The captures of a scope, as far as they are there.
    func captures(of scope: JournaledScope) -> ScopeCaptures {
        ScopeCaptures(
            positions: scope.start..<(scope.end?.position ?? .max),
            journaled: blocks,
            inMemory: CaptureStretch(start: 0, segments: [])
        )
    }

    /// How many captures of a scope are there.
    func captureCount(of scope: JournaledScope) -> Int {
        let wanted = scope.start..<(scope.end?.position ?? .max)
        return blocks.reduce(0) { sum, part in
            part.blocks.reduce(sum) { $0 + $1.positions.clamped(to: wanted).count }
        }
    }

    /// The ids of events that may be stored without a note of it: those that were given, behind the ones that are noted.
    var uncertainEvents: [ClosedRange<ObjectId>] {
        scopes.compactMap { scope in
            let count = captureCount(of: scope)
            guard let first = scope.firstEvent, scope.storedCount < count else { return nil }
            return first.following(scope.storedCount)...first.following(count - 1)
        }
    }

    /// Whether a scope was committed and all that it captured is there.
    func isComplete(_ scope: JournaledScope) -> Bool {
        guard let end = scope.end else { return false }
        return captureCount(of: scope) == end.position - scope.start
    }

    /// Notes something about a scope, for whoever recovers the journals if this process dies, too.
    func note(_ mark: ScopeMark) throws {
        _ = try journals.last?.append(ScopeMark.block([mark]))
    }

    /// Removes the journals; the marks are in the last one, so it goes last.
    func remove() throws {
        for journal in journals { try journal.remove() }
    }
}

/// What is in the journals of one session.
private struct SessionContents {
    var scopes: [Int: JournaledScope] = [:]
    var blocks: [JournalBlocks] = []
    var damage: (any Error)?
    /// Classes that mean the same are one, so that captures of several parts can be merged.
    private var shapes: [ClassShape] = []

    mutating func read(_ journal: any ScopeJournal) {
        var table = ShapeTable()
        var found: [JournalBlocks.Block] = []
        do {
            for place in try journal.blocks() {
                do {
                    try read(journal.read(place), at: place, &table, &found)
                } catch {
                    damage = damage ?? error
                }
            }
        } catch {
            damage = damage ?? error
        }
        blocks.append(JournalBlocks(journal: journal, shapes: table, blocks: found))
    }

    private mutating func read(
        _ bytes: [UInt8],
        at place: ScopeJournalBlock,
        _ table: inout ShapeTable,
        _ found: inout [JournalBlocks.Block]
    ) throws(RecordingError) {
        switch bytes.first.flatMap(JournalBlockKind.init) {
        case .start: break
        case .shape:
            let (number, shape) = try Self.reading(bytes) { reader throws(RecordingError) in
                try ShapeTable.read(&reader)
            }
            table.insert(one(shape), number: number)
        case .marks:
            let marks = try Self.reading(bytes) { reader throws(RecordingError) in try ScopeMark.read(&reader) }
            for mark in marks { apply(mark) }
        case .captures:
            let (positions, hasFollows) = try CaptureBlockReader(shapes: table).positions(bytes)
            found.append(.init(place: place, positions: positions, hasFollows: hasFollows))
        case nil: throw .damagedJournal(reason: "a block is of an unknown kind")
        }
    }

    private static func reading<Result>(
        _ bytes: [UInt8],
        _ body: (inout ByteReader) throws(RecordingError) -> Result
    ) throws(RecordingError) -> Result {
        try bytes.withUnsafeBytes { buffer in
            Swift.Result { () throws(RecordingError) in
                var reader = ByteReader(buffer)
                _ = try reader.byte()
                return try body(&reader)
            }
        }
        .get()
    }

    private mutating func one(_ shape: ClassShape) -> ClassShape {
        if let known = shapes.first(where: { $0.isEqual(to: shape) }) { return known }
        shapes.append(shape)
        return shape
    }

    private mutating func apply(_ mark: ScopeMark) {
        switch mark {
        case .began(let id, let activity, let metadata, let start):
            guard scopes[id] == nil else { return }
            scopes[id] = JournaledScope(id: id, activity: activity, metadata: metadata, start: start)
        case .committed(let id, let end, let instant):
            guard let start = scopes[id]?.start, end >= start else { return }
            scopes[id]?.end = JournaledScope.End(position: end, instant: instant)
        case .numbered(let id, let firstEvent):
            scopes[id]?.firstEvent = firstEvent
        case .stored(let id, let count):
            scopes[id]?.storedCount = count
        case .ended(let id):
            scopes[id] = nil
        }
    }
}
