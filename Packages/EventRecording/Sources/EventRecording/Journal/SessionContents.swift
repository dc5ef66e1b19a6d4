import EventModel

/// What is in the journals of one session, and in the notes that name it.
struct SessionContents {
    private(set) var scopes: [Int: JournaledScope] = [:]
    private(set) var blocks: [JournalBlocks] = []
    private(set) var writes = SessionWrites()
    private(set) var realm: String?
    private(set) var damage: (any Error)?
    /// The scopes of which nothing is left to recover.
    private var ended: Set<Int> = []
    /// Classes that mean the same are one, so that captures of several parts can be merged.
    private var shapes: [ClassShape] = []

    /// Reads a journal; the order is that of the parts.
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

    /// Reads notes of writes, after the journals.
    mutating func read(_ notes: [KeptNote], with root: any ScopeJournal) {
        for note in notes {
            do {
                let bytes = try root.open(Array(note.bytes.dropFirst(WriteNoteWriter.headBytes)))
                var shapes = shapes
                let write = try KeptWrite(bytes) { Self.one($0, of: &shapes) }
                self.shapes = shapes
                writes.kept.append(write)
                for mark in write.scopes { apply(mark) }
            } catch {
                damage = damage ?? error
            }
        }
    }

    private mutating func read(
        _ bytes: [UInt8],
        at place: ScopeJournalBlock,
        _ table: inout ShapeTable,
        _ found: inout [JournalBlocks.Block]
    ) throws(RecordingError) {
        switch bytes.first.flatMap(JournalBlockKind.init) {
        case .start: break
        case .realm:
            realm = try Self.reading(bytes) { reader throws(RecordingError) in try reader.text() }
        case .shape:
            let (number, shape) = try Self.reading(bytes) { reader throws(RecordingError) in
                try ShapeTable.read(&reader)
            }
            table.insert(Self.one(shape, of: &shapes), number: number)
        case .marks:
            let marks = try Self.reading(bytes) { reader throws(RecordingError) in try ScopeMark.read(&reader) }
            for mark in marks { apply(mark) }
        case .captures:
            let summary = try CaptureBlockReader(shapes: table).summary(bytes)
            writes.journaled += summary.namedEvents
            found.append(.init(place: place, positions: summary.positions, hasFollows: summary.hasFollows))
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

    private static func one(_ shape: ClassShape, of shapes: inout [ClassShape]) -> ClassShape {
        if let known = shapes.first(where: { $0.isEqual(to: shape) }) { return known }
        shapes.append(shape)
        return shape
    }

    private mutating func apply(_ mark: ScopeMark) {
        switch mark {
        case .began(let id, let activity, let metadata, let start):
            guard scopes[id] == nil, !ended.contains(id) else { return }
            scopes[id] = JournaledScope(id: id, activity: activity, metadata: metadata, start: start)
        case .committed(let id, let end, let instant):
            guard let start = scopes[id]?.start, end >= start else { return }
            scopes[id]?.end = JournaledScope.End(position: end, instant: instant)
        case .numbered(let id, let firstEvent):
            scopes[id]?.firstEvent = firstEvent
        case .stored(let id, let count):
            scopes[id]?.stored.count = count
        case .storedWrites(let id, let last):
            scopes[id]?.stored.lastWrite = last
        case .ended(let id):
            scopes[id] = nil
            ended.insert(id)
        }
    }
}
