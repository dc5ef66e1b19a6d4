#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The texts of one property, by row, as UTF-8 without gaps, so that one search goes over all of them.
///
/// Texts that change are kept beside the others, and put among them again when they are many.
package struct TextColumn: Sendable {
    /// What stands where a text was that changed: no text has the byte, so that no search finds anything there.
    private static let gap: UInt8 = 0xFF

    private(set) var bytes: [UInt8] = []
    /// Where the text of each row begins, and behind the last one where it ends.
    private(set) var ends: [UInt32] = [0]
    private(set) var missing: RowSet?
    /// The texts that changed, by row.
    private var changed: [Int: [UInt8]] = [:]

    package init() {}

    /// Takes texts that lie one behind the other; those of the missing rows have no bytes.
    package init(_ bytes: [UInt8], ends: [UInt32], missing rows: [UInt32]) {
        self.bytes = bytes
        self.ends = [0] + ends
        missing = rows.isEmpty ? nil : RowSet(ends.count, rows)
    }

    /// Makes room for a count of rows.
    private mutating func reserveCapacity(_ count: Int) { ends.reserveCapacity(count + 1) }

    /// How many rows there are.
    var count: Int { ends.count - 1 }
    /// How many bytes it takes.
    var byteCount: Int {
        bytes.capacity + ends.capacity * 4 + count / 8 + changed.values.reduce(0) { $0 + $1.count + 64 }
    }
    /// Whether a row has no text.
    @inline(__always)
    func isMissing(_ row: Int) -> Bool { missing?.contains(row) ?? false }

    /// Adds the text of the next row.
    ///
    /// - Returns: False when there is too much for one column; it must not be used then.
    private mutating func append(_ text: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count + text.count < Int(UInt32.max) else { return false }
        bytes.append(contentsOf: text)
        ends.append(UInt32(truncatingIfNeeded: bytes.count))
        if missing != nil { missing?.append(false) }
        return true
    }

    /// Adds a row without a text.
    private mutating func appendMissing() {
        var set = missing ?? RowSet(noneOf: count)
        set.append(true)
        missing = set
        ends.append(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// Replaces the text of a row by that of a row of another column.
    mutating func replace(_ row: Int, by other: TextColumn, at otherRow: Int) {
        for place in Int(ends[row])..<Int(ends[row + 1]) { bytes[place] = Self.gap }
        changed[row] = other.withText(otherRow) { Array($0) }
        if other.isMissing(otherRow) {
            var set = missing ?? RowSet(noneOf: count)
            set.insert(row)
            missing = set
        } else if missing != nil {
            missing?.remove(row)
        }
        if changed.count > 64 + count / 16 { keep(RowSet(allOf: count)) }
    }

    /// Adds the texts of the rows that follow.
    ///
    /// - Returns: False when there is too much for one column; it must not be used then.
    mutating func append(contentsOf other: TextColumn) -> Bool {
        for row in 0..<other.count {
            if other.isMissing(row) {
                appendMissing()
            } else if !other.withText(row, { append($0) }) {
                return false
            }
        }
        return true
    }

    /// Puts texts among those that are there.
    ///
    /// - Returns: False when there is too much for one column; it must not be used then.
    mutating func merge(_ other: TextColumn, _ order: MergedOrder) -> Bool {
        var merged = TextColumn()
        merged.reserveCapacity(order.places.count)
        merged.bytes.reserveCapacity(bytes.count + other.bytes.count)
        var fits = true
        for place in order.places where fits {
            let column = place.isNew ? other : self
            if column.isMissing(place.row) {
                merged.appendMissing()
            } else {
                fits = column.withText(place.row) { merged.append($0) }
            }
        }
        self = merged
        return fits
    }

    /// Keeps some rows only.
    mutating func keep(_ rows: RowSet) {
        var kept = TextColumn()
        kept.reserveCapacity(rows.count)
        kept.bytes.reserveCapacity(bytes.count)
        rows.eachRow { row in
            // Fewer bytes than before always fit.
            if isMissing(row) { kept.appendMissing() } else { withText(row) { _ = kept.append($0) } }
        }
        self = kept
    }

    /// Gives the bytes of a row's text; none when it is missing.
    @inline(__always)
    func withText<Result>(_ row: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if !changed.isEmpty, let text = changed[row] { return text.withUnsafeBytes(body) }
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[Int(ends[row])..<Int(ends[row + 1])])) }
    }

    /// Gives one form of all texts for another, such as the folded one.
    ///
    /// - Returns: nil when there is too much for one column.
    func mapped(_ body: (UnsafeRawBufferPointer, inout [UInt8]) -> Void) -> TextColumn? {
        var result = TextColumn()
        result.reserveCapacity(count)
        result.bytes.reserveCapacity(bytes.count)
        for row in 0..<count {
            withText(row) { body($0, &result.bytes) }
            guard result.bytes.count < Int(UInt32.max) else { return nil }
            result.ends.append(UInt32(truncatingIfNeeded: result.bytes.count))
        }
        result.missing = missing
        return result
    }

    // MARK: Tests

    /// The rows whose text passes a test; missing ones never do.
    @inline(__always)
    func rows(where isIn: (UnsafeRawBufferPointer) -> Bool) -> RowSet {
        var found: RowSet
        if changed.isEmpty {
            found = bytes.withUnsafeBytes { bytes in
                ends.withUnsafeBufferPointer { ends in
                    RowSet(of: ends.count - 1) { row in
                        isIn(UnsafeRawBufferPointer(rebasing: bytes[Int(ends[row])..<Int(ends[row + 1])]))
                    }
                }
            }
        } else {
            found = RowSet(of: count) { row in withText(row, isIn) }
        }
        if let missing { found.subtract(missing) }
        return found
    }

    /// The rows that have a part of text in them: one search over all texts.
    func rows(containing part: [UInt8]) -> RowSet {
        guard !part.isEmpty else {
            var all = RowSet(allOf: count)
            if let missing { all.subtract(missing) }
            return all
        }
        var found = RowSet(noneOf: count)
        part.withUnsafeBytes { part in
            bytes.withUnsafeBytes { bytes in
                ends.withUnsafeBufferPointer { ends in
                    Self.search(ByteSearch(for: part), part.count, bytes, ends, &found)
                }
            }
            for (row, text) in changed where !isMissing(row) {
                text.withUnsafeBytes { if ByteSearch(for: part).place(in: $0, from: 0) != nil { found.insert(row) } }
            }
        }
        return found
    }

    private static func search(
        _ search: ByteSearch,
        _ count: Int,
        _ bytes: UnsafeRawBufferPointer,
        _ ends: UnsafeBufferPointer<UInt32>,
        _ found: inout RowSet
    ) {
        var row = 0
        var start = 0
        while let place = search.place(in: bytes, from: start) {
            while Int(ends[row + 1]) <= place { row += 1 }
            if place + count <= Int(ends[row + 1]) {
                found.insert(row)
                start = Int(ends[row + 1])
            } else {
                // Half of it belongs to the next text.
                start = place + 1
            }
        }
    }
}

/// Compares texts byte by byte, as SQLite does.
///
/// - Returns: Less than 0 when the left one comes first, more than 0 when the right one does.
@inline(__always)
func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let common = min(left.count, right.count)
    if common > 0, let first = left.baseAddress, let second = right.baseAddress {
        let order = memcmp(first, second, common)
        if order != 0 { return Int(order) }
    }
    return left.count - right.count
}
