import EventModel

/// Packs consecutive captures into one block of a journal.
///
/// | bytes | field |
/// |---|---|
/// | 1 | kind, 4 |
/// | 8 | position of the first capture |
/// | 8 | wall clock of the first capture, microseconds |
/// | 8 | monotonic clock of the first capture, nanoseconds |
/// | each | kind, both clocks as the distance from the capture before, content |
///
/// A snapshot that was not named before is 0, the number of its class, and the bytes of its row; later it is its number
/// counted from 1. A row of snapshots is written in the same way, so that a result that a program looks at often takes
/// its space once. Numbers hold within the block: each block can be read without the others, given the classes.
struct CaptureBlockWriter {
    /// The kinds of captures; the numbers are part of the format.
    enum Kind: UInt8 {
        case read = 0
        case follow = 1
        case query = 2
        case commit = 3
        /// A write transaction that the realm's file names the events of: their number, scopes and ids, then the rest.
        case namedCommit = 4
        /// A query that found nothing: class, version and what was asked for.
        case emptyQuery = 5
        /// Where the realm was in sync at a version: the version, then the 40 bytes of the place.
        case place = 6
        /// A write transaction of a realm that syncs: the 40 bytes of its place, then the rest as with ``namedCommit``.
        case syncedCommit = 7
    }

    private struct ListIdentity: Hashable {
        let address: UInt
        let count: Int
    }

    private var writer: ByteWriter
    private var rows = KnownRows()
    private var rowCount = 0
    private var lists: [ListIdentity: Int] = [:]
    private var lastWall: Int64 = 0
    private var lastMonotonic: UInt64 = 0
    private var start = 0
    /// How many captures are in the block.
    private(set) var count = 0
    /// Whether a link was followed in the block.
    private(set) var hasFollows = false

    /// Creates a block.
    ///
    /// - Parameter front: What stands in front of it, in the same bytes.
    init(behind front: ByteWriter = ByteWriter()) {
        writer = front
    }

    /// The size of the block so far, with what stands in front of it.
    var byteCount: Int { writer.bytes.count }

    /// The positions of the captures in the block.
    var positions: Range<Int> { start..<(start + count) }

    /// Appends a read, whose row must live until the block is taken.
    mutating func append(_ read: CapturedRead, at position: Int, shapes: inout ShapeTable) {
        begin(.read, read.wall, read.monotonicNanoseconds, at: position)
        append(read.row, of: read.shape, &shapes)
    }

    /// Appends a capture, whose snapshots must live until the block is taken.
    mutating func append(_ capture: Capture, at position: Int, shapes: inout ShapeTable) {
        let kind: Kind =
            switch capture.content {
            case .read: .read
            case .follow: .follow
            case .query(let query): query.terms == nil ? .query : .emptyQuery
            case .commit(let write) where write.changes.sync != nil: .syncedCommit
            case .commit(let write): write.events.isEmpty ? .commit : .namedCommit
            case .place: .place
            }
        begin(kind, capture.wall, capture.monotonicNanoseconds, at: position)
        switch capture.content {
        case .read(let snapshot): append(snapshot, &shapes)
        case .follow(let follow): append(follow, &shapes)
        case .query(let query):
            writer.append(count: shapes.number(of: query.shape))
            writer.append(varint: query.version)
            if let terms = query.terms { append(terms) } else { append(query.matches, &shapes) }
        case .commit(let write):
            if let place = write.changes.sync { writer.bytes.append(contentsOf: place.bytes) }
            if kind != .commit { append(write.events) }
            append(write.changes, &shapes)
        case .place(let version):
            writer.append(varint: version.version)
            writer.bytes.append(contentsOf: version.place.bytes)
        }
    }

    private mutating func begin(_ kind: Kind, _ wall: EventInstant, _ monotonic: UInt64, at position: Int) {
        if count == 0 {
            start = position
            lastWall = wall.microseconds
            lastMonotonic = monotonic
            writer.append(JournalBlockKind.captures.rawValue)
            writer.append(fixed: UInt64(position))
            writer.append(fixed: UInt64(bitPattern: lastWall))
            writer.append(fixed: lastMonotonic)
        }
        count += 1
        writer.append(kind.rawValue)
        writer.append(signed: wall.microseconds &- lastWall)
        writer.append(signed: Int64(bitPattern: monotonic &- lastMonotonic))
        lastWall = wall.microseconds
        lastMonotonic = monotonic
    }

    /// Returns the block and begins the next one.
    mutating func take() -> [UInt8] {
        let block = writer.bytes
        writer.bytes = []
        writer.bytes.reserveCapacity(block.count)
        rows.removeAll()
        rowCount = 0
        lists = [:]
        count = 0
        hasFollows = false
        return block
    }

    private mutating func append(_ follow: CapturedFollow, _ shapes: inout ShapeTable) {
        hasFollows = true
        writer.append(count: shapes.number(of: follow.origin.object.shape))
        writer.append(signed: follow.origin.object.key)
        writer.append(varint: follow.origin.object.version)
        writer.append(count: follow.origin.slot)
        append(follow.target, &shapes)
        append(follow.targets, &shapes)
    }

    private mutating func append(_ terms: SearchTerms) {
        writer.append(optional: terms.predicate)
        writer.append(optional: terms.collection)
        writer.append(count: terms.sort.count)
        for order in terms.sort {
            writer.append(text: order.keyPath)
            writer.append(order.ascending ? 1 : 0)
        }
    }

    private mutating func append(_ events: [CapturedWrite.Event]) {
        writer.append(count: events.count)
        for event in events {
            writer.append(count: event.scope)
            writer.append(event.id)
        }
    }

    private mutating func append(_ changes: CommitChanges, _ shapes: inout ShapeTable) {
        writer.append(varint: changes.versionBefore)
        writer.append(varint: changes.versionAfter)
        writer.append(count: changes.classes.count)
        for change in changes.classes {
            writer.append(count: shapes.number(of: change.shape))
            append(change.insertions, &shapes)
            append(change.deletions, &shapes)
            writer.append(count: change.modifications.count)
            for modification in change.modifications {
                append(modification.before, &shapes)
                append(modification.after, &shapes)
                writer.append(modification.parent == nil ? 0 : 1)
                if let parent = modification.parent { append(parent) }
            }
        }
    }

    private mutating func append(_ parent: ObjectReference) {
        writer.append(text: parent.className)
        writer.append(signed: parent.key)
        var packed = PackedValueWriter()
        packed.append(parent.primaryKey)
        packed.bytes.withUnsafeBytes { writer.append(counted: $0) }
    }

    private mutating func append(_ snapshots: [ObjectSnapshot], _ shapes: inout ShapeTable) {
        let identity = snapshots.withUnsafeBufferPointer { buffer in
            ListIdentity(address: UInt(bitPattern: buffer.baseAddress), count: buffer.count)
        }
        if !snapshots.isEmpty, let number = lists[identity] {
            writer.append(count: number)
            return
        }
        writer.append(0)
        writer.append(count: snapshots.count)
        for snapshot in snapshots { append(snapshot, &shapes) }
        // Counted as the reader counts: each list gets its number when it is complete.
        if !snapshots.isEmpty { lists[identity] = lists.count + 1 }
    }

    private mutating func append(_ snapshot: ObjectSnapshot, _ shapes: inout ShapeTable) {
        append(snapshot.rowBytes, of: snapshot.shape, &shapes)
    }

    private mutating func append(_ row: UnsafeRawBufferPointer, of shape: ClassShape, _ shapes: inout ShapeTable) {
        let address = UInt(bitPattern: row.baseAddress)
        if let number = rows.number(at: address) {
            writer.append(count: number)
            return
        }
        writer.append(0)
        writer.append(count: shapes.number(of: shape))
        writer.append(counted: row)
        rowCount += 1
        rows.insert(address, number: rowCount)
    }
}

/// Remembers which rows a block holds already, by their addresses.
///
/// It forgets a row when another one needs its place, and that row is then written again: no more than that is lost. The table
/// grows with the rows, since a block of one small write, which a note in the realm's file is, has one or two.
private struct KnownRows {
    private static let smallestExponent: UInt64 = 3
    private static let largestExponent: UInt64 = 11

    private var exponent = smallestExponent
    private var count = 0
    private var rows: [(address: UInt, number: Int)] = []

    func number(at address: UInt) -> Int? {
        guard !rows.isEmpty else { return nil }
        let row = rows[place(of: address)]
        return row.address == address ? row.number : nil
    }

    mutating func insert(_ address: UInt, number: Int) {
        if rows.isEmpty { rows = Self.table(exponent) }
        if count == rows.count / 2, exponent < Self.largestExponent { grow() }
        count += 1
        rows[place(of: address)] = (address, number)
    }

    mutating func removeAll() { self = KnownRows() }

    private mutating func grow() {
        let known = rows
        exponent += 2
        rows = Self.table(exponent)
        for row in known where row.address != 0 { rows[place(of: row.address)] = row }
    }

    private static func table(_ exponent: UInt64) -> [(address: UInt, number: Int)] {
        Array(repeating: (0, 0), count: 1 << exponent)
    }

    private func place(of address: UInt) -> Int {
        // Rows begin at multiples of eight; the multiplication spreads what is left over the whole table.
        Int(truncatingIfNeeded: (UInt64(address) >> 3 &* 0x9E37_79B9_7F4A_7C15) >> (64 - exponent))
    }
}
