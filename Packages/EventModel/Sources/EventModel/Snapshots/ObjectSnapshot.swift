#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An immutable, packed copy of one object as it was at one version: the currency between the rooms.
///
/// A row is a header (row key, version, length, flags), a null bitmap, one slot of 8 bytes for each property and
/// the variable part. Integers, truth values, numbers and dates lie in their slot; text, data, ids and decimals lie in
/// the variable part and their slot holds offset and length; collections, links, embedded objects and `any` lie there
/// as packed values (see ``PackedValue``). Copying a snapshot copies a reference; reading a slot copies nothing else.
///
/// A snapshot is either *flat*, as the store reads it to serve properties, or *whole*: with the contents of
/// collections, embedded objects and the primary keys of links, so that it can be turned into JSON alone.
@frozen
public struct ObjectSnapshot: Sendable {
    /// The memory that the row lies in.
    public let chunk: SnapshotChunk
    // SAFETY: the chunk keeps its shape alive, and a shape keeps the shapes of the classes embedded in it.
    @usableFromInline unowned(unsafe) let unownedShape: ClassShape
    @usableFromInline let offset: Int

    @inlinable
    init(chunk: SnapshotChunk, shape: ClassShape, offset: Int) {
        self.chunk = chunk
        unownedShape = shape
        self.offset = offset
    }

    /// What the slots mean.
    @inlinable
    public var shape: ClassShape { unownedShape }

    /// Where the row begins in its chunk, in bytes; see ``SnapshotChunk/snapshot(at:)``.
    @inlinable
    public var place: Int { offset }

    /// The row of the object, unique within its class; 0 for an embedded object inside its parent's row.
    @inlinable
    public var key: Int64 { load(RowHeader.key) }

    /// The version of the realm that the row was read at.
    @inlinable
    public var version: UInt64 { load(RowHeader.version) }

    /// The size of the row in bytes.
    @inlinable
    public var byteCount: Int { Int(load(RowHeader.length) as UInt32) }

    /// Whether collections, embedded objects and keys of links are in the row.
    @inlinable
    public var isWhole: Bool { (load(RowHeader.flags) as UInt32) & 1 != 0 }

    /// Whether the slot holds null.
    ///
    /// A collection that is not in a flat row counts as null.
    @inlinable
    public func isNull(_ slot: Int) -> Bool {
        let word: UInt64 = load(RowHeader.byteCount + (slot >> 6) * 8)
        return word & (1 << UInt64(slot & 63)) != 0
    }

    /// The integer in the slot; 0 when null.
    @inlinable
    public func int(_ slot: Int) -> Int64 { load(shape.slotsOffset + slot * 8) }

    /// The truth value in the slot; false when null.
    @inlinable
    public func bool(_ slot: Int) -> Bool { int(slot) != 0 }

    /// The number in the slot; 0 when null.
    @inlinable
    public func double(_ slot: Int) -> Double { load(shape.slotsOffset + slot * 8) }

    /// The 32-bit number in the slot; 0 when null.
    @inlinable
    public func float(_ slot: Int) -> Float { load(shape.slotsOffset + slot * 8) }

    /// The instant in the slot; 2001-01-01 when null.
    @inlinable
    public func date(_ slot: Int) -> Date { Date(timeIntervalSinceReferenceDate: double(slot)) }

    /// The text in the slot; empty when null.
    @inlinable
    public func string(_ slot: Int) -> String { String(decoding: bytes(slot), as: UTF8.self) }

    /// The id in the slot; all zero when null.
    @inlinable
    public func objectId(_ slot: Int) -> ObjectId {
        guard let address = bytes(slot).baseAddress else { return ObjectId(high: 0, low: 0) }
        return ObjectId(loadedFrom: address)
    }

    /// The UUID in the slot; all zero when null.
    @inlinable
    public func uuid(_ slot: Int) -> UUID {
        guard let address = bytes(slot).baseAddress else {
            return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        }
        return UUID(uuid: address.loadUnaligned(as: uuid_t.self))
    }

    /// The decimal in the slot; positive zero with exponent -6176 when null.
    @inlinable
    public func decimal128(_ slot: Int) -> Decimal128 {
        guard let address = bytes(slot).baseAddress else { return Decimal128(high: 0, low: 0) }
        return Decimal128(
            high: address.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
            low: address.loadUnaligned(as: UInt64.self)
        )
    }

    /// The packed value in the slot of a collection, link, embedded object or `any`; nil when null.
    @inlinable
    public func packedValue(_ slot: Int) -> PackedValue? {
        guard let address = bytes(slot).baseAddress else { return nil }
        return PackedValue(
            snapshot: self,
            offset: address - UnsafeRawPointer(chunk.base),
            embeddedShape: shape.properties[slot].embeddedShape
        )
    }

    /// The bytes that the slot points at; empty with no address when null.
    ///
    /// The address is valid as long as the snapshot's ``chunk`` is alive: do not let it escape.
    @inlinable
    public func bytes(_ slot: Int) -> UnsafeRawBufferPointer {
        guard !isNull(slot) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let place: UInt64 = load(shape.slotsOffset + slot * 8)
        return UnsafeRawBufferPointer(
            start: UnsafeRawPointer(chunk.base) + offset + Int(place & 0xFFFF_FFFF),
            count: Int(place >> 32)
        )
    }

    /// The whole row as bytes, valid as long as the snapshot's ``chunk`` is alive.
    @inlinable
    public var rowBytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: UnsafeRawPointer(chunk.base) + offset, count: byteCount)
    }

    @inlinable
    func load<T: BitwiseCopyable>(_ position: Int) -> T {
        UnsafeRawPointer(chunk.base).loadUnaligned(fromByteOffset: offset + position, as: T.self)
    }
}

// MARK: - Comparing

extension ObjectSnapshot {
    /// Whether another row of the same class has the same values, whichever object and version they are of.
    ///
    /// - Precondition: Both are flat, or both are whole.
    public func hasSameValues(as other: ObjectSnapshot) -> Bool {
        let (left, right) = (rowBytes.dropFirst(RowHeader.byteCount), other.rowBytes.dropFirst(RowHeader.byteCount))
        return shape === other.shape && left.elementsEqual(right)
    }
}

// MARK: - Identity

extension ObjectSnapshot: Hashable {
    /// Whether both are the same object of a class at the same version.
    public static func == (left: ObjectSnapshot, right: ObjectSnapshot) -> Bool {
        left.key == right.key && left.version == right.version && left.shape === right.shape
    }

    /// Feeds class, row and version to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(shape))
        hasher.combine(key)
        hasher.combine(version)
    }
}
