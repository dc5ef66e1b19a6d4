#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Packs rows of one class into chunks; the one way to make an ``ObjectSnapshot``.
///
/// Use: ``begin(key:version:whole:)``, one setter for each slot that is not null, ``finish()``. A slot that no setter
/// names is null. Rows follow each other in a chunk, so a writer that is kept makes one allocation for many rows.
/// Not `Sendable`: one thread at a time.
public struct SnapshotWriter: ~Copyable {
    /// The shape of the rows.
    public let shape: ClassShape
    @usableFromInline var chunk: SnapshotChunk
    @usableFromInline var start = 0
    @usableFromInline var end = 0

    /// Creates a writer with an empty chunk.
    ///
    /// - Parameters:
    ///   - shape: The class of the rows.
    ///   - chunkByteCount: The size of each chunk in bytes; a larger row gets a chunk of its own size.
    @inlinable
    public init(shape: ClassShape, chunkByteCount: Int = SnapshotChunk.standardByteCount) {
        self.shape = shape
        chunk = SnapshotChunk(shape: shape, capacity: max(chunkByteCount, shape.variableOffset + 64))
    }

    /// Starts a row with every slot null.
    @inlinable
    public mutating func begin(key: Int64, version: UInt64, whole: Bool = false) {
        start = chunk.used
        end = start
        reserve(shape.variableOffset)
        let row = chunk.base + start
        row.storeBytes(of: key, toByteOffset: RowHeader.key, as: Int64.self)
        row.storeBytes(of: version, toByteOffset: RowHeader.version, as: UInt64.self)
        row.storeBytes(of: whole ? 1 : 0, toByteOffset: RowHeader.flags, as: UInt32.self)
        for word in 0..<shape.nullWordCount {
            row.storeBytes(of: .max, toByteOffset: RowHeader.byteCount + word * 8, as: UInt64.self)
        }
        // Slots that stay null are zero, so that reading one never shows bytes of another row.
        (row + shape.slotsOffset).initializeMemory(as: UInt8.self, repeating: 0, count: shape.properties.count * 8)
        end = start + shape.variableOffset
    }

    /// Stores an integer.
    @inlinable
    public mutating func set(_ slot: Int, int value: Int64) { setBits(slot, UInt64(bitPattern: value)) }

    /// Stores a truth value.
    @inlinable
    public mutating func set(_ slot: Int, bool value: Bool) { setBits(slot, value ? 1 : 0) }

    /// Stores a number of 64 bits.
    @inlinable
    public mutating func set(_ slot: Int, double value: Double) { setBits(slot, value.bitPattern) }

    /// Stores a number of 32 bits.
    @inlinable
    public mutating func set(_ slot: Int, float value: Float) { setBits(slot, UInt64(value.bitPattern)) }

    /// Stores an instant.
    @inlinable
    public mutating func set(_ slot: Int, date value: Date) { set(slot, double: value.timeIntervalSinceReferenceDate) }

    /// Stores text.
    @inlinable
    public mutating func set(_ slot: Int, string value: String) {
        var text = value
        text.withUTF8 { setBytes(slot, UnsafeRawBufferPointer($0)) }
    }

    /// Stores an id.
    @inlinable
    public mutating func set(_ slot: Int, objectId value: ObjectId) {
        value.withUnsafeBytes { setBytes(slot, $0) }
    }

    /// Stores a UUID.
    @inlinable
    public mutating func set(_ slot: Int, uuid value: UUID) {
        withUnsafeBytes(of: value.uuid) { setBytes(slot, $0) }
    }

    /// Stores a decimal.
    @inlinable
    public mutating func set(_ slot: Int, decimal128 value: Decimal128) {
        withUnsafeBytes(of: (value.low, value.high)) { setBytes(slot, $0) }
    }

    /// Copies bytes of text, data, an id or a decimal behind the slots.
    @inlinable
    public mutating func setBytes(_ slot: Int, _ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        if let source = bytes.baseAddress {
            (chunk.base + end).copyMemory(from: source, byteCount: bytes.count)
        }
        setPlace(slot, from: end, count: bytes.count)
        end += bytes.count
    }

    /// Stores a packed value that the closure writes.
    @inlinable
    public mutating func setPacked<E: Error>(
        _ slot: Int,
        _ write: (inout PackedValueWriter) throws(E) -> Void
    ) throws(E) {
        var packed = PackedValueWriter()
        try write(&packed)
        packed.bytes.withUnsafeBytes { setBytes(slot, $0) }
    }

    /// Ends the row and returns its snapshot.
    @inlinable
    public mutating func finish() -> ObjectSnapshot {
        (chunk.base + start).storeBytes(of: UInt32(end - start), toByteOffset: RowHeader.length, as: UInt32.self)
        // Rows start at multiples of 8, so that their slots share cache lines evenly.
        chunk.used = min((end + 7) & ~7, chunk.capacity)
        return ObjectSnapshot(chunk: chunk, shape: shape, offset: start)
    }

    /// Begins the chunk again if no snapshot needs its rows any more, so that a long read stays in the same memory.
    ///
    /// - Precondition: No row is unfinished.
    @inlinable
    public mutating func reuseMemory() {
        if isKnownUniquelyReferenced(&chunk) { chunk.used = 0 }
    }

    @inlinable
    mutating func setBits(_ slot: Int, _ bits: UInt64) {
        (chunk.base + start).storeBytes(of: bits, toByteOffset: shape.slotsOffset + slot * 8, as: UInt64.self)
        let word = RowHeader.byteCount + (slot >> 6) * 8
        let nulls = (chunk.base + start).loadUnaligned(fromByteOffset: word, as: UInt64.self)
        (chunk.base + start).storeBytes(of: nulls & ~(1 << UInt64(slot & 63)), toByteOffset: word, as: UInt64.self)
    }

    @inlinable
    mutating func setPlace(_ slot: Int, from position: Int, count: Int) {
        setBits(slot, UInt64(position - start) | UInt64(count) << 32)
    }

    /// Makes room behind `end`, moving the unfinished row to a new chunk when this one is full.
    @inlinable
    mutating func reserve(_ count: Int) {
        if end + count > chunk.capacity { moveToLargerChunk(count) }
    }

    @usableFromInline
    mutating func moveToLargerChunk(_ count: Int) {
        let length = end - start
        let needed = length + count
        precondition(needed <= Int(UInt32.max), "An object of class '\(shape.name)' is larger than 4 GiB.")
        let fresh = SnapshotChunk(
            shape: shape,
            capacity: max(needed > chunk.capacity / 4 ? needed * 2 : 0, chunk.capacity)
        )
        fresh.base.copyMemory(from: chunk.base + start, byteCount: length)
        chunk = fresh
        start = 0
        end = length
    }
}
