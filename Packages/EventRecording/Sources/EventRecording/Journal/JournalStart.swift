import EventModel

/// The kinds of blocks that a journal has; the numbers are part of the format.
enum JournalBlockKind: UInt8 {
    case start = 1
    case shape = 2
    case marks = 3
    case captures = 4
    /// The realm whose file holds writes of the session.
    case realm = 5
}

/// The first block of a journal: who wrote it, and how.
struct JournalStart: Hashable {
    /// The version of the format.
    ///
    /// Version 2 may have places in sync among its captures; version 1 is read, too.
    static let version: UInt8 = 2
    /// The number of the part that says what became of the writes in the realm's file; it is read last and removed last.
    static let root = Int(Int32.max)
    /// Shows the byte order in which rows lie in memory.
    private static let byteOrder: UInt32 = 0x0102_0304

    /// Names all journals that one recorder wrote one after the other.
    let session: ObjectId
    /// Which of them this is, counted from 0.
    let part: Int
    /// The boot that the monotonic clock of all captures belongs to.
    let boot: Boot

    /// The journal's first block, as it is written.
    var block: [UInt8] {
        var writer = ByteWriter()
        writer.append(JournalBlockKind.start.rawValue)
        writer.append(Self.version)
        withUnsafeBytes(of: Self.byteOrder) { writer.bytes.append(contentsOf: $0) }
        writer.append(session)
        writer.append(count: part)
        writer.append(fixed: boot.high)
        writer.append(fixed: boot.low)
        return writer.bytes
    }

    /// Reads the first block of a journal.
    init(firstBlock bytes: [UInt8]) throws {
        self = try bytes.withUnsafeBytes { buffer in
            var reader = ByteReader(buffer)
            guard try reader.byte() == JournalBlockKind.start.rawValue else {
                throw RecordingError.damagedJournal(reason: "it has no beginning")
            }
            return try JournalStart(&reader)
        }
    }

    /// Reads the rest of a block whose kind was read.
    init(_ reader: inout ByteReader) throws(RecordingError) {
        guard 1...Self.version ~= (try reader.byte()) else {
            throw .damagedJournal(reason: "a newer version of this library wrote it")
        }
        var order: UInt32 = 0
        for index in 0..<4 {
            let byte = try reader.byte()
            withUnsafeMutableBytes(of: &order) { $0[index] = byte }
        }
        guard order == Self.byteOrder else {
            throw .damagedJournal(reason: "it comes from a machine with another byte order")
        }
        session = try reader.objectId()
        part = try reader.count()
        boot = Boot(high: try reader.fixed(), low: try reader.fixed())
    }

    init(session: ObjectId, part: Int, boot: Boot) {
        self.session = session
        self.part = part
        self.boot = boot
    }
}
