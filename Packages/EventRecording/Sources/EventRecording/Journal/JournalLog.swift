import EventModel

/// What one recorder has in journals: writes captures and marks, finds captures again, and forgets what nobody needs.
///
/// The log is a row of journals, its *parts*. Each part can be read without the others: it names the scopes and classes
/// that it speaks of. A part that has reached ``partBytes`` is followed by another one, and the oldest parts are removed
/// when no scope needs their captures, so that scopes which overlap for ever do not fill the disk.
///
/// A session whose writes are kept in the realm's file has one more part, the *root*. Those notes name it: as long as it
/// exists they belong to this process or wait to be recovered, and when it is gone, all of them were handed on. It holds no
/// captures; from its beginning on, all marks go there.
struct JournalLog {
    /// A block of captures is closed when it has reached this size in bytes.
    static let blockBytes = 256 << 10
    /// A part gets no more blocks when it has reached this size in bytes.
    static let partBytes = 16 << 20
    /// No capture is journalled whose block would be larger, in bytes; the scope is then kept in memory.
    static let maximumBlockBytes = 512 << 20

    private struct Part {
        let journal: any ScopeJournal
        var shapes = ShapeTable()
        var blocks: [JournalBlocks.Block] = []
        var byteCount = 0
        /// Whether something was appended since it was synced.
        var isUnsynced = false
    }

    private let store: any ScopeJournalStore
    private let ids: any ObjectIdSource
    private let boot: Boot
    private var session: ObjectId?
    private var lastPart = -1
    private var parts: [Part] = []
    private var root: (journal: any ScopeJournal, byteCount: Int)?
    private var scopes: [Int: JournaledScope] = [:]
    /// Times of noting that go on because what was stored in them could not be noted here.
    private var unended: [DeletionNoting] = []

    /// Creates a log without parts; nothing is made before the first capture is written.
    init(store: any ScopeJournalStore, ids: any ObjectIdSource, boot: Boot) {
        self.store = store
        self.ids = ids
        self.boot = boot
    }

    /// Whether no scope is in any journal.
    var isEmpty: Bool { parts.isEmpty && (root == nil || scopes.isEmpty) }

    /// Whether there are parts with captures.
    var hasParts: Bool { !parts.isEmpty }

    // MARK: - Writing

    /// Writes what scopes are there, and the captures that they need.
    ///
    /// - Parameters:
    ///   - live: All scopes that are active or not stored yet.
    ///   - captures: Captures behind those that were written before.
    ///   - position: Raised with each block to the position behind the captures that need not be written again.
    /// - Throws: What a journal throws; what was written stays, and the rest may be written later.
    mutating func write(_ live: [JournaledScope], _ captures: CaptureStretch, through position: inout Int) throws {
        guard !live.isEmpty else { return }
        if parts.isEmpty { try beginPart(live) } else { try note(live) }
        var block = CaptureBlockWriter()
        var plan = BlockPlan(live)
        var failure: (any Error)?
        /// Whether a capture belongs into the block, in front of which the one before may have ended.
        func isNeeded(at place: Int) -> Bool {
            guard failure == nil else { return false }
            let step = plan.step(to: place)
            guard block.count > 0, step.startsBlock || block.byteCount >= Self.blockBytes else { return step.isNeeded }
            do {
                try flush(&block, live, through: &position)
            } catch {
                failure = error
            }
            return step.isNeeded && failure == nil
        }
        captures.visit { read, place in
            if isNeeded(at: place) { block.append(read, at: place, shapes: &parts[parts.count - 1].shapes) }
        } other: { capture, place in
            if isNeeded(at: place) { block.append(capture, at: place, shapes: &parts[parts.count - 1].shapes) }
        }
        if let failure { throw failure }
        if block.count > 0 { try flush(&block, live, through: &position) }
    }

    private mutating func flush(
        _ block: inout CaptureBlockWriter,
        _ live: [JournaledScope],
        through position: inout Int
    ) throws {
        let (positions, hasFollows) = (block.positions, block.hasFollows)
        let bytes = block.take()
        guard bytes.count <= Self.maximumBlockBytes else {
            throw RecordingError.damagedJournal(reason: "a capture of \(bytes.count) bytes is too large for it")
        }
        let current = parts.count - 1
        for number in parts[current].shapes.unwritten {
            try append(parts[current].shapes.block(number))
            parts[current].shapes.didWrite(number)
        }
        let place = try append(bytes)
        parts[current].blocks.append(.init(place: place, positions: positions, hasFollows: hasFollows))
        position = positions.upperBound
        if parts[current].byteCount >= Self.partBytes { try beginPart(live) }
    }

    private mutating func beginPart(_ live: [JournaledScope]) throws {
        let session = beginSession()
        var known = scopes
        for scope in live { known[scope.id] = scope }
        let marks = known.values.sorted { $0.id < $1.id }.flatMap(\.marks)
        let journal = try store.begin()
        lastPart += 1
        parts.append(Part(journal: journal))
        do {
            try append(JournalStart(session: session, part: lastPart, boot: boot).block)
            try append(ScopeMark.block(marks))
        } catch {
            // A part without its beginning could not be read, so it must not be written to.
            parts.removeLast()
            try journal.remove()
            throw error
        }
        scopes = known
    }

    private mutating func beginSession() -> ObjectId {
        let session = session ?? ids.next()
        self.session = session
        return session
    }

    /// Writes what is new of some scopes, all in one block: of each that is there, or nothing.
    private mutating func note(_ news: [JournaledScope]) throws {
        let marks = news.flatMap { scope in
            let known = scopes[scope.id]?.marks ?? []
            return scope.marks.filter { !known.contains($0) }
        }
        guard !marks.isEmpty else { return }
        try mark(marks)
        for scope in news { scopes[scope.id] = scope }
    }

    /// Writes marks where recovery reads them last.
    private mutating func mark(_ marks: [ScopeMark]) throws {
        let block = ScopeMark.block(marks)
        if let root {
            _ = try root.journal.append(block)
            self.root?.byteCount += block.count
        } else {
            try append(block)
        }
    }

    @discardableResult
    private mutating func append(_ block: [UInt8]) throws -> ScopeJournalBlock {
        let place = try parts[parts.count - 1].journal.append(block)
        parts[parts.count - 1].byteCount += block.count
        parts[parts.count - 1].isUnsynced = true
        return place
    }

    /// Returns when all that was written is on the disk: the captures, and the scopes that they belong to.
    mutating func synchronize() throws {
        try root?.journal.synchronize()
        for index in parts.indices where parts[index].isUnsynced {
            try parts[index].journal.synchronize()
            parts[index].isUnsynced = false
        }
    }

    // MARK: - Storing

    /// Notes what is new of those of some scopes that are known here or noted in the realm's file.
    ///
    /// That is how they ended, which ids their events will have, and how many are stored. The first two stand in one
    /// block, before any event is stored: recovery must not take a scope for an interrupted one whose events may be
    /// stored, nor give them other ids.
    mutating func update(_ news: [JournaledScope]) throws {
        try note(news.filter { scopes[$0.id] != nil || ($0.isNoted && root != nil) })
    }

    /// Lets deletions be noted until nothing is in any journal: what was stored could not be noted here.
    mutating func keep(_ noting: DeletionNoting) {
        if hasParts || root != nil { unended.append(noting) }
    }

    /// Finds the blocks with captures at these positions.
    func blocks(at positions: Range<Int>) -> [JournalBlocks] {
        parts.map { part in
            JournalBlocks(
                journal: part.journal,
                shapes: part.shapes,
                blocks: part.blocks.filter { $0.positions.overlaps(positions) }
            )
        }
    }

    // MARK: - Forgetting

    /// A scope that is over.
    struct EndedScope {
        let id: Int
        /// Whether the realm's file may hold writes of the scope.
        let isNoted: Bool
    }

    /// Forgets scopes whose events are stored, and removes the parts that nobody needs any more.
    ///
    /// - Throws: What a journal throws; everything else that can be forgotten is.
    mutating func end(_ ended: [EndedScope]) throws {
        try forget(ended) { log in try log.removeOldParts() }
    }

    /// Forgets a scope that was cancelled, and makes unreadable what only it needed.
    ///
    /// - Throws: What a journal throws; everything else that can be made unreadable is.
    mutating func cancel(_ cancelled: EndedScope) throws {
        try forget([cancelled]) { log in
            try log.removeOldParts()
            try log.eraseUnneeded()
        }
    }

    private mutating func forget(_ ended: [EndedScope], _ removeUnneeded: (inout JournalLog) throws -> Void) throws {
        let ended = ended.filter { scopes[$0.id] != nil || ($0.isNoted && root != nil) }
        guard !ended.isEmpty else { return }
        for scope in ended { scopes[scope.id] = nil }
        // The mark comes first, so that a death in the middle does not bring the scope back with a part of itself.
        let result = Result { try mark(ended.map { ScopeMark.ended(id: $0.id) }) }
        if scopes.isEmpty {
            try removeAllParts()
            // Without a root, nothing is left that the marks could be missing from.
            if root != nil { try result.get() }
        } else {
            try removeUnneeded(&self)
            try result.get()
        }
    }

    // MARK: - The root

    /// The journal that notes in the realm's file name; made at the first call, and durable when this returns.
    ///
    /// - Parameter realm: The name of the realm.
    /// - Returns: The root.
    /// - Throws: What the store and the journal throw; there is no root then.
    mutating func root(of realm: String) throws -> any ScopeJournal {
        if let root { return root.journal }
        let session = beginSession()
        let journal = try store.begin()
        do {
            var name = ByteWriter()
            name.append(JournalBlockKind.realm.rawValue)
            name.append(text: realm)
            let marks = scopes.values.sorted { $0.id < $1.id }.flatMap(\.marks)
            for block in [
                JournalStart(session: session, part: JournalStart.root, boot: boot).block, name.bytes,
                ScopeMark.block(marks),
            ] {
                _ = try journal.append(block)
            }
            // A note that is durable names it, so it must be as durable.
            try journal.synchronize()
        } catch {
            try journal.remove()
            throw error
        }
        root = (journal, 0)
        return journal
    }

    /// A root gets no more marks when it has reached this size in bytes and nothing depends on it.
    static let rootBytes = 256 << 10

    /// Releases a root that has become large, when no scope is in any journal and no note that names it is still needed.
    ///
    /// - Returns: Whether there is none now.
    mutating func dropLargeRoot() throws -> Bool {
        guard let root, root.byteCount >= Self.rootBytes, scopes.isEmpty else { return root == nil }
        try root.journal.remove()
        self.root = nil
        unended = []
        return true
    }

    /// Removes the root at the end of the recorder, when no scope needs it any more.
    mutating func finish() throws {
        guard scopes.isEmpty, parts.isEmpty, let root else { return }
        try root.journal.remove()
        self.root = nil
    }

    private mutating func removeAllParts() throws {
        // The oldest first: the marks are in the last one.
        while let part = parts.first {
            try part.journal.remove()
            parts.removeFirst()
        }
        if root == nil { unended = [] }
    }

    private mutating func removeOldParts() throws {
        while parts.count > 1, let first = parts.first, !first.blocks.contains(where: isNeeded) {
            try first.journal.remove()
            parts.removeFirst()
        }
    }

    private mutating func eraseUnneeded() throws {
        for index in parts.indices {
            for block in parts[index].blocks where !isNeeded(block) {
                try parts[index].journal.erase(block.place)
                parts[index].blocks.removeAll { $0.place == block.place }
            }
        }
    }

    private func isNeeded(_ block: JournalBlocks.Block) -> Bool {
        scopes.values.contains { $0.needs(block.positions) }
    }
}

/// Says where blocks of captures begin, so that each is needed by a scope as a whole or not at all.
private struct BlockPlan {
    private let scopes: [JournaledScope]
    /// The positions at which scopes begin or end.
    private let edges: [Int]
    private var next = 0
    private var isNeeded = false

    init(_ scopes: [JournaledScope]) {
        self.scopes = scopes
        edges = Set(scopes.map(\.start) + scopes.compactMap { $0.end?.position }).sorted()
    }

    /// Goes on to a position, which is higher than the one before.
    mutating func step(to position: Int) -> (isNeeded: Bool, startsBlock: Bool) {
        guard next < edges.count, edges[next] <= position else { return (isNeeded, false) }
        while next < edges.count, edges[next] <= position { next += 1 }
        isNeeded = scopes.contains { $0.needs(position) }
        return (isNeeded, true)
    }
}
