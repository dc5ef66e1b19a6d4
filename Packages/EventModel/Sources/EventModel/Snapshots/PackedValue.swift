#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value of any type inside a snapshot's variable part: a tag byte and its payload.
///
/// | tag | payload |
/// |---|---|
/// | null, false, true | nothing |
/// | int, double, date | 8 bytes; a date is its seconds since 2001 as a double |
/// | float | 4 bytes |
/// | string, data | UInt32 length, bytes |
/// | objectId, uuid, decimal128 | 12, 16, 16 bytes |
/// | link | UInt32 length and class name, Int64 row key, a packed primary key |
/// | list | UInt32 byte length of what follows, UInt32 count, packed elements |
/// | dictionary | UInt32 byte length of what follows, UInt32 count, for each UInt32 length, key bytes, packed value |
/// | embedded | UInt32 length, a packed row of the property's embedded shape |
///
/// All numbers are in the byte order of the machine: snapshots leave the process only for files that it alone reads.
@frozen
public struct PackedValue: Sendable {
    /// Says what the payload is.
    @frozen
    public enum Tag: UInt8, Sendable {
        case null
        case `false`
        case `true`
        case int
        case float
        case double
        case string
        case data
        case date
        case objectId
        case uuid
        case decimal128
        case link
        case list
        case dictionary
        case embedded
    }

    @usableFromInline let snapshot: ObjectSnapshot
    @usableFromInline let offset: Int
    @usableFromInline let embeddedShape: ClassShape?

    @inlinable
    init(snapshot: ObjectSnapshot, offset: Int, embeddedShape: ClassShape?) {
        self.snapshot = snapshot
        self.offset = offset
        self.embeddedShape = embeddedShape
    }

    /// What the payload is.
    @inlinable
    public var tag: Tag {
        guard let tag = Tag(rawValue: load(0)) else {
            preconditionFailure("A packed value of class '\(snapshot.shape.name)' has an unknown tag.")
        }
        return tag
    }

    /// The integer; only for the tag `int`.
    @inlinable
    public var int: Int64 { load(1) }

    /// The number; only for the tag `float`.
    @inlinable
    public var float: Float { load(1) }

    /// The number; only for the tags `double` and `date`.
    @inlinable
    public var double: Double { load(1) }

    /// The bytes of text or data; only for the tags `string` and `data`; valid as long as the snapshot's chunk is.
    @inlinable
    public var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: address + 5, count: Int(load(1) as UInt32))
    }

    /// The id; only for the tag `objectId`.
    @inlinable
    public var objectId: ObjectId { ObjectId(loadedFrom: address + 1) }

    /// The UUID; only for the tag `uuid`.
    @inlinable
    public var uuid: UUID { UUID(uuid: load(1)) }

    /// The decimal; only for the tag `decimal128`.
    @inlinable
    public var decimal128: Decimal128 { Decimal128(high: load(9), low: load(1)) }

    /// The name of the class linked to; only for the tag `link`.
    public var linkClassName: String {
        String(decoding: UnsafeRawBufferPointer(start: address + 5, count: Int(load(1) as UInt32)), as: UTF8.self)
    }

    /// The row linked to; only for the tag `link`.
    @inlinable
    public var linkKey: Int64 { load(5 + Int(load(1) as UInt32)) }

    /// The primary key linked to, of tag `null` when it was not captured; only for the tag `link`.
    @inlinable
    public var linkPrimaryKey: PackedValue { at(13 + Int(load(1) as UInt32)) }

    /// The snapshot of the embedded object; only for the tag `embedded`.
    @inlinable
    public var embedded: ObjectSnapshot {
        guard let embeddedShape else {
            preconditionFailure("A packed value of class '\(snapshot.shape.name)' has no embedded shape.")
        }
        return ObjectSnapshot(chunk: snapshot.chunk, shape: embeddedShape, offset: offset + 5)
    }

    /// How many elements or entries there are; only for the tags `list` and `dictionary`.
    @inlinable
    public var count: Int { Int(load(5) as UInt32) }

    /// How many bytes the tag and the payload take.
    @inlinable
    public var byteCount: Int {
        switch tag {
        case .null, .false, .true: 1
        case .float: 5
        case .int, .double, .date: 9
        case .objectId: 13
        case .uuid, .decimal128: 17
        case .string, .data, .list, .dictionary, .embedded: 5 + Int(load(1) as UInt32)
        case .link: 13 + Int(load(1) as UInt32) + linkPrimaryKey.byteCount
        }
    }

    /// Calls the closure with each element of a list, in order.
    @inlinable
    public func forEachElement<E: Error>(_ body: (PackedValue) throws(E) -> Void) throws(E) {
        var position = 9
        for _ in 0..<count {
            let element = at(position)
            try body(element)
            position += element.byteCount
        }
    }

    /// Calls the closure with the UTF-8 bytes of each key and its value, in stored order.
    @inlinable
    public func forEachEntry<E: Error>(_ body: (UnsafeRawBufferPointer, PackedValue) throws(E) -> Void) throws(E) {
        var position = 9
        for _ in 0..<count {
            let length = Int(load(position) as UInt32)
            let value = at(position + 4 + length)
            try body(UnsafeRawBufferPointer(start: address + position + 4, count: length), value)
            position += 4 + length + value.byteCount
        }
    }

    @inlinable
    var address: UnsafeRawPointer { UnsafeRawPointer(snapshot.chunk.base) + offset }

    @inlinable
    func at(_ position: Int) -> PackedValue {
        PackedValue(snapshot: snapshot, offset: offset + position, embeddedShape: embeddedShape)
    }

    @inlinable
    func load<T: BitwiseCopyable>(_ position: Int) -> T {
        address.loadUnaligned(fromByteOffset: position, as: T.self)
    }
}

// MARK: - Decoding

extension PackedValue {
    /// The value, decoded with all that it contains.
    ///
    /// - Complexity: O(*n*) in the bytes of the value.
    public var decoded: Value {
        switch tag {
        case .null: return .null
        case .false: return .bool(false)
        case .true: return .bool(true)
        case .int: return .int(int)
        case .float: return .float(float)
        case .double: return .double(double)
        case .string: return .string(String(decoding: bytes, as: UTF8.self))
        case .data: return .data(Array(bytes))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: double))
        case .objectId: return .objectId(objectId)
        case .uuid: return .uuid(uuid)
        case .decimal128: return .decimal128(decimal128)
        case .link:
            return .link(
                ObjectReference(className: linkClassName, key: linkKey, primaryKey: linkPrimaryKey.decoded)
            )
        case .list:
            var elements: [Value] = []
            elements.reserveCapacity(count)
            forEachElement { elements.append($0.decoded) }
            return .list(elements)
        case .dictionary:
            var entries: [String: Value] = [:]
            entries.reserveCapacity(count)
            forEachEntry { entries[String(decoding: $0, as: UTF8.self)] = $1.decoded }
            return .dictionary(entries)
        case .embedded:
            return .object(embedded)
        }
    }
}
