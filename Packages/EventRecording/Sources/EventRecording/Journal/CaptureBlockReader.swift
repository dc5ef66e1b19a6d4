import EventModel

/// Takes blocks of captures apart again.
///
/// Checks every number and every length in every row: whatever the bytes are, the answer is captures or an error.
struct CaptureBlockReader {
    private let shapes: ShapeTable
    private let writers = RowWriters()

    /// Reads blocks of a journal with these classes.
    init(shapes: ShapeTable) {
        self.shapes = shapes
    }

    /// What is in a block.
    struct Summary {
        /// The positions of the captures.
        var positions = 0..<0
        var hasFollows = false
        /// The events of writes that the realm's file names.
        var namedEvents: [CapturedWrite.Event] = []
    }

    /// Says what is in a block.
    ///
    /// - Throws: ``RecordingError/damagedJournal(reason:)`` when the bytes are not such a block.
    /// - Complexity: O(*n*) in the bytes.
    func summary(_ block: [UInt8]) throws(RecordingError) -> Summary {
        var summary = Summary()
        try visit(block) { capture, position in
            let start = summary.positions.isEmpty ? position : summary.positions.lowerBound
            summary.positions = start..<position + 1
            switch capture.content {
            case .follow: summary.hasFollows = true
            case .commit(let write): summary.namedEvents += write.events
            case .read, .query, .place: break
            }
        }
        return summary
    }

    /// Calls the closure with each capture and its position, in order.
    ///
    /// - Throws: ``RecordingError/damagedJournal(reason:)`` when the bytes are not a block of captures; the closure may
    ///   have been called for those in front of the damage.
    func visit(_ block: [UInt8], _ body: (Capture, _ position: Int) -> Void) throws(RecordingError) {
        try block.withUnsafeBytes { buffer in
            Result { () throws(RecordingError) in
                var walk = Walk(reader: ByteReader(buffer), shapes: shapes, writers: writers)
                try walk.run(body)
            }
        }
        .get()
    }
}

/// One writer for each class, so that rows of many blocks share their memory as they did when they were read.
private final class RowWriters {
    private final class Box {
        var writer: SnapshotWriter

        init(_ shape: ClassShape) {
            writer = SnapshotWriter(shape: shape)
        }
    }

    private var boxes: [ObjectIdentifier: Box] = [:]

    func snapshot(of row: UnsafeRawBufferPointer, _ shape: ClassShape) throws(RecordingError) -> ObjectSnapshot {
        let box: Box
        if let known = boxes[ObjectIdentifier(shape)] {
            box = known
        } else {
            box = Box(shape)
            boxes[ObjectIdentifier(shape)] = box
        }
        do {
            return try box.writer.append(row: row)
        } catch {
            throw .damagedJournal(reason: error.description)
        }
    }
}

/// The reading of one block.
private struct Walk {
    var reader: ByteReader
    let shapes: ShapeTable
    let writers: RowWriters
    private var snapshots: [ObjectSnapshot] = []
    private var lists: [[ObjectSnapshot]] = []

    init(reader: ByteReader, shapes: ShapeTable, writers: RowWriters) {
        self.reader = reader
        self.shapes = shapes
        self.writers = writers
    }

    mutating func run(_ body: (Capture, Int) -> Void) throws(RecordingError) {
        guard try reader.byte() == JournalBlockKind.captures.rawValue else {
            throw .damagedJournal(reason: "a block holds no captures")
        }
        guard var position = Int(exactly: try reader.fixed()), position < Int.max / 2 else {
            throw .damagedJournal(reason: "a position is out of range")
        }
        var wall = Int64(bitPattern: try reader.fixed())
        var monotonic = try reader.fixed()
        while !reader.isAtEnd {
            guard let kind = CaptureBlockWriter.Kind(rawValue: try reader.byte()) else {
                throw .damagedJournal(reason: "a capture is of an unknown kind")
            }
            wall &+= try reader.signed()
            monotonic &+= UInt64(bitPattern: try reader.signed())
            let instant = EventInstant(microseconds: wall)
            body(Capture(try content(kind), wall: instant, monotonicNanoseconds: monotonic), position)
            position += 1
        }
    }

    private mutating func content(_ kind: CaptureBlockWriter.Kind) throws(RecordingError) -> Capture.Content {
        switch kind {
        case .read:
            return .read(try snapshot())
        case .follow:
            return .follow(try follow())
        case .query:
            let shape = try shape()
            let version = try reader.varint()
            return .query(CapturedQuery(shape: shape, version: version, matches: try list(of: shape)))
        case .emptyQuery:
            let shape = try shape()
            let version = try reader.varint()
            return .query(CapturedQuery(shape: shape, version: version, matches: [], terms: try terms()))
        case .commit:
            return .commit(CapturedWrite(changes: try changes()))
        case .namedCommit:
            let events = try events()
            return .commit(CapturedWrite(changes: try changes(), events: events))
        case .syncedCommit:
            let place = try place()
            let events = try events()
            return .commit(CapturedWrite(changes: try changes(at: place), events: events))
        case .place:
            let version = try reader.varint()
            return .place(PlacedVersion(version: version, place: try place()))
        }
    }

    private mutating func terms() throws(RecordingError) -> SearchTerms {
        let predicate = try reader.optionalText()
        let collection = try reader.optionalText()
        var sort: [SearchTerms.Order] = []
        for _ in 0..<(try reader.elementCount()) {
            sort.append(SearchTerms.Order(try reader.text(), ascending: try reader.byte() != 0))
        }
        return SearchTerms(predicate: predicate, sort: sort, collection: collection)
    }

    private mutating func events() throws(RecordingError) -> [CapturedWrite.Event] {
        var events: [CapturedWrite.Event] = []
        for _ in 0..<(try reader.elementCount()) {
            events.append(CapturedWrite.Event(scope: try reader.count(), id: try reader.objectId()))
        }
        return events
    }

    private mutating func follow() throws(RecordingError) -> CapturedFollow {
        let shape = try shape()
        let object = ObjectIdentity(shape: shape, key: try reader.signed(), version: try reader.varint())
        let slot = try reader.count()
        guard slot < shape.properties.count else { throw .damagedJournal(reason: "a link is not a property") }
        let target = try snapshot()
        return CapturedFollow(origin: LinkOrigin(object: object, slot: slot), target: target, targets: try list())
    }

    private mutating func place() throws(RecordingError) -> SyncReference {
        guard let place = SyncReference(bytes: try reader.raw(SyncReference.byteCount)) else {
            throw .damagedJournal(reason: "a place in sync contradicts itself")
        }
        return place
    }

    private mutating func changes(at place: SyncReference? = nil) throws(RecordingError) -> CommitChanges {
        let before = try reader.varint()
        let after = try reader.varint()
        var classes: [ClassChanges] = []
        for _ in 0..<(try reader.elementCount()) {
            let shape = try shape()
            let insertions = try list(of: shape)
            let deletions = try list(of: shape)
            var modifications: [Modification] = []
            for _ in 0..<(try reader.elementCount()) { modifications.append(try modification(of: shape)) }
            classes.append(
                ClassChanges(
                    shape: shape,
                    insertions: insertions,
                    deletions: deletions,
                    modifications: modifications
                )
            )
        }
        return CommitChanges(versionBefore: before, versionAfter: after, classes: classes, sync: place)
    }

    private mutating func modification(of shape: ClassShape) throws(RecordingError) -> Modification {
        let before = try snapshot()
        let after = try snapshot()
        guard before.shape === shape, after.shape === shape else {
            throw .damagedJournal(reason: "a row is of another class than its place")
        }
        return Modification(before: before, after: after, parent: try reader.byte() == 0 ? nil : try parent())
    }

    private mutating func parent() throws(RecordingError) -> ObjectReference {
        let className = try reader.text()
        let key = try reader.signed()
        let packed = try reader.counted()
        return ObjectReference(className: className, key: key, primaryKey: try ParentKey.value(packed, writers))
    }

    private mutating func list(of shape: ClassShape) throws(RecordingError) -> [ObjectSnapshot] {
        let list = try list()
        guard list.allSatisfy({ $0.shape === shape }) else {
            throw .damagedJournal(reason: "a row is of another class than its place")
        }
        return list
    }

    private mutating func list() throws(RecordingError) -> [ObjectSnapshot] {
        let number = try reader.count()
        if number > 0 {
            guard number <= lists.count else { throw .damagedJournal(reason: "a list is not there") }
            return lists[number - 1]
        }
        let count = try reader.elementCount()
        var list: [ObjectSnapshot] = []
        list.reserveCapacity(count)
        for _ in 0..<count { list.append(try snapshot()) }
        if count > 0 { lists.append(list) }
        return list
    }

    private mutating func snapshot() throws(RecordingError) -> ObjectSnapshot {
        let number = try reader.count()
        if number > 0 {
            guard number <= snapshots.count else { throw .damagedJournal(reason: "a row is not there") }
            return snapshots[number - 1]
        }
        let shape = try shape()
        let snapshot = try writers.snapshot(of: try reader.counted(), shape)
        snapshots.append(snapshot)
        return snapshot
    }

    private mutating func shape() throws(RecordingError) -> ClassShape {
        guard let shape = shapes[try reader.count()] else { throw .damagedJournal(reason: "a class is not there") }
        return shape
    }
}

/// The primary key of a parent: one packed value, read through a row that holds nothing else.
private enum ParentKey {
    private static let shape = ClassShape(name: "parent", properties: [PropertyShape(name: "key", kind: .any)])

    static func value(_ packed: UnsafeRawBufferPointer, _ writers: RowWriters) throws(RecordingError) -> Value {
        var writer = SnapshotWriter(shape: shape, chunkByteCount: shape.variableOffset + packed.count)
        writer.begin(key: 0, version: 0, whole: true)
        writer.setBytes(0, packed)
        let row = writer.finish()
        return try writers.snapshot(of: row.rowBytes, shape).value(0)
    }
}
