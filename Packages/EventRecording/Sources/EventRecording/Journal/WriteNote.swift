import EventModel

/// A write of open scopes, as the realm's file keeps it with the transaction.
final class WriteNote: CommitNote {
    let stream: ObjectId
    let bytes: [UInt8]
    /// The event that it becomes in each of the scopes that were active.
    let events: [CapturedWrite.Event]
    /// The clocks just before the commit.
    let reading: ClockReading

    init(stream: ObjectId, bytes: [UInt8], events: [CapturedWrite.Event], reading: ClockReading) {
        self.stream = stream
        self.bytes = bytes
        self.events = events
        self.reading = reading
    }
}

/// Packs writes into notes.
///
/// Each can be read without the others.
///
/// | bytes | field |
/// |---|---|
/// | 1 | version: 2 in a realm that syncs, else 1 |
/// | 8 | where the events go: the hash of `RealmAddress.place` |
/// | rest | protected by the root that the note names: as below |
///
/// The protected part is a block of marks behind its length, for the scopes that were active, the number of classes and the
/// block of each behind its length, and a block of one capture up to the end.
struct WriteNoteWriter {
    /// The newest version, which says where the realm was in sync and which changes the write became.
    ///
    /// A realm that does not sync keeps notes of version 1. Both are read.
    static let version: UInt8 = 2
    /// The size of the part that is not protected.
    static let headBytes = 9

    private var shapes = ShapeTable()
    private var blocks: [Int: [UInt8]] = [:]

    /// Packs a write.
    ///
    /// - Parameters:
    ///   - write: The write.
    ///   - scopes: The scopes that are active.
    ///   - position: The position in the log that the write will not come before.
    ///   - reading: The clocks.
    /// - Returns: The bytes to be protected.
    mutating func pack(
        _ write: CapturedWrite,
        of scopes: [JournaledScope],
        at position: Int,
        _ reading: ClockReading
    ) -> [UInt8] {
        var front = ByteWriter()
        front.append(counted: ScopeMark.block(scopes.flatMap(\.marks)))
        front.append(count: write.changes.classes.count)
        for change in write.changes.classes { front.append(counted: classBlock(change.shape)) }
        // Behind the rest in the same bytes: a large write is packed once.
        var block = CaptureBlockWriter(behind: front)
        let capture = Capture(.commit(write), wall: reading.wall, monotonicNanoseconds: reading.monotonicNanoseconds)
        block.append(capture, at: position, shapes: &shapes)
        return block.take()
    }

    private mutating func classBlock(_ shape: ClassShape) -> [UInt8] {
        let number = shapes.number(of: shape)
        if let block = blocks[number] { return block }
        let block = shapes.block(number)
        shapes.didWrite(number)
        blocks[number] = block
        return block
    }

    /// The part of a note that is not protected.
    static func head(place: String, isSynced: Bool = false) -> [UInt8] {
        // FNV-1a: it distinguishes places and keeps no secret.
        let hash = place.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return [isSynced ? version : 1] + withUnsafeBytes(of: hash.littleEndian) { Array($0) }
    }
}

/// A write that a realm's file kept, read again.
struct KeptWrite {
    /// The scopes that were active.
    let scopes: [ScopeMark]
    /// The write with its clocks, as the store reported it.
    let capture: Capture
    /// The events that it becomes.
    let events: [CapturedWrite.Event]
    /// The position in the log that the write did not come before.
    let position: Int

    /// Takes the part of a note apart that was protected.
    ///
    /// - Parameters:
    ///   - bytes: The part, opened.
    ///   - one: Returns the class that stands for all that mean the same.
    /// - Throws: ``RecordingError/damagedJournal(reason:)`` when the bytes are not such a part.
    init(_ bytes: [UInt8], _ one: (ClassShape) -> ClassShape) throws(RecordingError) {
        let (marks, classes, block) = try Self.parts(bytes)
        scopes = try Self.reading(marks, as: .marks) { reader throws(RecordingError) in try ScopeMark.read(&reader) }
        var shapes = ShapeTable()
        for bytes in classes {
            let (number, shape) = try Self.reading(bytes, as: .shape) { reader throws(RecordingError) in
                try ShapeTable.read(&reader)
            }
            shapes.insert(one(shape), number: number)
        }
        var found: (Capture, CapturedWrite, Int)?
        try CaptureBlockReader(shapes: shapes)
            .visit(block) { capture, position in
                if case .commit(let write) = capture.content { found = (capture, write, position) }
            }
        guard let (capture, write, position) = found, !write.events.isEmpty else {
            throw .damagedJournal(reason: "a note in the realm is not one of a write")
        }
        self.capture = capture
        events = write.events
        self.position = position
    }

    private static func parts(_ bytes: [UInt8]) throws(RecordingError) -> (
        marks: [UInt8], classes: [[UInt8]], block: [UInt8]
    ) {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(RecordingError) in
                var reader = ByteReader(buffer)
                let marks = Array(try reader.counted())
                var classes: [[UInt8]] = []
                for _ in 0..<(try reader.elementCount()) { classes.append(Array(try reader.counted())) }
                return (marks, classes, Array(reader.rest()))
            }
        }
        .get()
    }

    private static func reading<Content>(
        _ bytes: [UInt8],
        as kind: JournalBlockKind,
        _ body: (inout ByteReader) throws(RecordingError) -> Content
    ) throws(RecordingError) -> Content {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(RecordingError) in
                var reader = ByteReader(buffer)
                guard try reader.byte() == kind.rawValue else {
                    throw .damagedJournal(reason: "a note in the realm is not one of a write")
                }
                return try body(&reader)
            }
        }
        .get()
    }
}
