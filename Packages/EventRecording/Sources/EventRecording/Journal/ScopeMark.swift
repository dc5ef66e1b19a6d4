import EventModel

/// Something that happened to a scope, as a journal notes it.
enum ScopeMark: Hashable {
    /// The scope exists and wants the captures from a position on.
    case began(id: Int, activity: String, metadata: EventMetadata, start: Int)
    /// The scope was committed, and wants no captures from a position on.
    case committed(id: Int, end: Int, at: EventInstant)
    /// The events of the scope have these ids, beginning with the given one.
    case numbered(id: Int, firstEvent: ObjectId)
    /// So many events of the scope are stored.
    case stored(id: Int, count: Int)
    /// The scope was cancelled, or all its events are stored.
    case ended(id: Int)
    /// The events are stored that the realm's file names, up to this one.
    case storedWrites(id: Int, through: ObjectId)

    /// The block that holds some marks.
    static func block(_ marks: [ScopeMark]) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(JournalBlockKind.marks.rawValue)
        for mark in marks { mark.append(to: &writer) }
        return writer.bytes
    }

    /// Reads the rest of a block whose kind was read.
    static func read(_ reader: inout ByteReader) throws(RecordingError) -> [ScopeMark] {
        var marks: [ScopeMark] = []
        while !reader.isAtEnd { marks.append(try ScopeMark(&reader)) }
        return marks
    }

    private func append(to writer: inout ByteWriter) {
        switch self {
        case .began(let id, let activity, let metadata, let start):
            writer.append(1)
            writer.append(count: id)
            writer.append(text: activity)
            writer.append(count: start)
            writer.append(count: metadata.entries.count)
            for entry in metadata.entries {
                writer.append(text: entry.key)
                writer.append(text: entry.value)
            }
        case .committed(let id, let end, let instant):
            writer.append(2)
            writer.append(count: id)
            writer.append(count: end)
            writer.append(signed: instant.microseconds)
        case .numbered(let id, let firstEvent):
            writer.append(3)
            writer.append(count: id)
            writer.append(firstEvent)
        case .stored(let id, let count):
            writer.append(4)
            writer.append(count: id)
            writer.append(count: count)
        case .ended(let id):
            writer.append(5)
            writer.append(count: id)
        case .storedWrites(let id, let last):
            writer.append(6)
            writer.append(count: id)
            writer.append(last)
        }
    }

    private init(_ reader: inout ByteReader) throws(RecordingError) {
        let kind = try reader.byte()
        let id = try reader.count()
        switch kind {
        case 1:
            let activity = try reader.text()
            let start = try reader.count()
            self = .began(id: id, activity: activity, metadata: try Self.metadata(&reader), start: start)
        case 2:
            let end = try reader.count()
            self = .committed(id: id, end: end, at: EventInstant(microseconds: try reader.signed()))
        case 3: self = .numbered(id: id, firstEvent: try reader.objectId())
        case 4: self = .stored(id: id, count: try reader.count())
        case 5: self = .ended(id: id)
        case 6: self = .storedWrites(id: id, through: try reader.objectId())
        default: throw .damagedJournal(reason: "a mark is of an unknown kind")
        }
    }

    private static func metadata(_ reader: inout ByteReader) throws(RecordingError) -> EventMetadata {
        var entries: [String: String] = [:]
        for _ in 0..<(try reader.elementCount()) {
            let key = try reader.text()
            entries[key] = try reader.text()
        }
        do {
            return try EventMetadata(entries)
        } catch {
            throw .damagedJournal(reason: "metadata has a key that cannot be")
        }
    }
}
