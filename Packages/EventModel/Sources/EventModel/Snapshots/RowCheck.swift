/// Finds out whether bytes are a packed row of a class, so that a snapshot of them can never read outside of them.
///
/// Looks at every length, tag and place; the values themselves may be anything.
struct RowCheck {
    /// How deep values may lie in each other; the store refuses to write what lies half as deep.
    static let maximumDepth = 256

    /// Why bytes are not a row.
    struct Fault: Error {
        let reason: String
    }

    private let bytes: UnsafeRawBufferPointer

    private init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Checks that these bytes, no more and no fewer, are a row.
    ///
    /// - Throws: When they are not.
    static func check(_ row: UnsafeRawBufferPointer, shape: ClassShape, depth: Int = 0) throws(Fault) {
        guard depth < maximumDepth else { throw Fault(reason: "objects lie too deep in each other") }
        guard row.count >= shape.variableOffset else { throw Fault(reason: "it is shorter than its slots") }
        let length = row.loadUnaligned(fromByteOffset: RowHeader.length, as: UInt32.self)
        guard Int(length) == row.count else { throw Fault(reason: "its length is not its own") }
        let check = RowCheck(row)
        for (slot, property) in shape.properties.enumerated() {
            let word = row.loadUnaligned(fromByteOffset: RowHeader.byteCount + (slot >> 6) * 8, as: UInt64.self)
            guard word & (1 << UInt64(slot & 63)) == 0 else { continue }
            try check.checkSlot(slot, property, shape, depth)
        }
    }

    private func checkSlot(_ slot: Int, _ property: PropertyShape, _ shape: ClassShape, _ depth: Int) throws(Fault) {
        let kind = property.kind
        if !property.isPacked, kind == .int || kind == .bool || kind == .float || kind == .double || kind == .date {
            return
        }
        let place = bytes.loadUnaligned(fromByteOffset: shape.slotsOffset + slot * 8, as: UInt64.self)
        let start = Int(place & 0xFFFF_FFFF)
        let count = Int(place >> 32)
        guard start <= bytes.count, count <= bytes.count - start else {
            throw Fault(reason: "slot \(slot) points outside")
        }
        if property.isPacked {
            let end = try valueEnd(at: start, limit: start + count, property.embeddedShape, depth: depth)
            guard end == start + count else { throw Fault(reason: "slot \(slot) has bytes left over") }
            return
        }
        let expected: Int? =
            switch kind {
            case .objectId: 12
            case .uuid, .decimal128: 16
            default: nil
            }
        guard expected == nil || expected == count else { throw Fault(reason: "slot \(slot) has the wrong length") }
    }

    /// Returns where a packed value ends.
    private func valueEnd(at start: Int, limit: Int, _ embedded: ClassShape?, depth: Int) throws(Fault) -> Int {
        guard depth < Self.maximumDepth else { throw Fault(reason: "values lie too deep in each other") }
        guard start < limit, let tag = PackedValue.Tag(rawValue: bytes[start]) else {
            throw Fault(reason: "a value has an unknown tag")
        }
        switch tag {
        case .null, .false, .true: return try advance(start, by: 1, limit)
        case .float: return try advance(start, by: 5, limit)
        case .int, .double, .date: return try advance(start, by: 9, limit)
        case .objectId: return try advance(start, by: 13, limit)
        case .uuid, .decimal128: return try advance(start, by: 17, limit)
        case .string, .data: return try countedEnd(at: start + 1, limit)
        case .link:
            let key = try advance(try countedEnd(at: start + 1, limit), by: 8, limit)
            return try valueEnd(at: key, limit: limit, nil, depth: depth + 1)
        case .list: return try elementsEnd(at: start, limit, embedded, hasKeys: false, depth: depth + 1)
        case .dictionary: return try elementsEnd(at: start, limit, embedded, hasKeys: true, depth: depth + 1)
        case .embedded:
            guard let embedded else { throw Fault(reason: "an embedded object lies where none belongs") }
            let end = try countedEnd(at: start + 1, limit)
            let row = UnsafeRawBufferPointer(rebasing: bytes[(start + 5)..<end])
            try Self.check(row, shape: embedded, depth: depth + 1)
            return end
        }
    }

    private func elementsEnd(
        at start: Int,
        _ limit: Int,
        _ embedded: ClassShape?,
        hasKeys: Bool,
        depth: Int
    ) throws(Fault) -> Int {
        let end = try countedEnd(at: start + 1, limit)
        guard end - start >= 9 else { throw Fault(reason: "a collection is shorter than its count") }
        let count = bytes.loadUnaligned(fromByteOffset: start + 5, as: UInt32.self)
        var position = start + 9
        for _ in 0..<count {
            if hasKeys { position = try countedEnd(at: position, end) }
            position = try valueEnd(at: position, limit: end, embedded, depth: depth)
        }
        guard position == end else { throw Fault(reason: "a collection has bytes left over") }
        return end
    }

    /// Returns where bytes end whose count lies in front of them.
    private func countedEnd(at start: Int, _ limit: Int) throws(Fault) -> Int {
        let content = try advance(start, by: 4, limit)
        return try advance(content, by: Int(bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)), limit)
    }

    private func advance(_ position: Int, by count: Int, _ limit: Int) throws(Fault) -> Int {
        guard position <= limit, count <= limit - position else { throw Fault(reason: "a value ends early") }
        return position + count
    }
}

extension SnapshotWriter {
    /// Appends a copy of a packed row: the bytes that ``ObjectSnapshot/rowBytes`` of the same shape has.
    ///
    /// Every length and tag in it is checked first, so the bytes may come from a file.
    ///
    /// - Throws: ``EventModelError/malformedRow(className:reason:)`` when they are not a row of the shape; nothing is
    ///   appended.
    /// - Complexity: O(*n*) in the bytes.
    /// - Precondition: No row is unfinished.
    public mutating func append(row: UnsafeRawBufferPointer) throws(EventModelError) -> ObjectSnapshot {
        do throws(RowCheck.Fault) {
            try RowCheck.check(row, shape: shape)
        } catch {
            throw .malformedRow(className: shape.name, reason: error.reason)
        }
        start = chunk.used
        end = start
        reserve(row.count)
        if let source = row.baseAddress {
            (chunk.base + end).copyMemory(from: source, byteCount: row.count)
        }
        end += row.count
        return finish()
    }
}
