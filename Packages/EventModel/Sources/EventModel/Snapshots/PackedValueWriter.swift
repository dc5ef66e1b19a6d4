#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Writes one packed value, as ``PackedValue`` reads it.
@frozen
public struct PackedValueWriter: Sendable {
    /// The bytes so far.
    public var bytes: [UInt8] = []

    /// Creates an empty writer.
    @inlinable
    public init() {}

    /// Appends null.
    @inlinable
    public mutating func appendNull() { append(PackedValue.Tag.null) }

    /// Appends a truth value.
    @inlinable
    public mutating func append(bool value: Bool) { append(value ? PackedValue.Tag.true : .false) }

    /// Appends an integer.
    @inlinable
    public mutating func append(int value: Int64) { append(.int, raw: value) }

    /// Appends a number of 32 bits.
    @inlinable
    public mutating func append(float value: Float) { append(.float, raw: value.bitPattern) }

    /// Appends a number of 64 bits.
    @inlinable
    public mutating func append(double value: Double) { append(.double, raw: value.bitPattern) }

    /// Appends an instant.
    @inlinable
    public mutating func append(date value: Date) {
        append(.date, raw: value.timeIntervalSinceReferenceDate.bitPattern)
    }

    /// Appends text from its UTF-8 bytes.
    @inlinable
    public mutating func append(string value: UnsafeRawBufferPointer) { append(.string, counted: value) }

    /// Appends text.
    @inlinable
    public mutating func append(string value: String) {
        var text = value
        text.withUTF8 { append(.string, counted: UnsafeRawBufferPointer($0)) }
    }

    /// Appends raw bytes.
    @inlinable
    public mutating func append(data value: UnsafeRawBufferPointer) { append(.data, counted: value) }

    /// Appends an id.
    @inlinable
    public mutating func append(objectId value: ObjectId) {
        append(PackedValue.Tag.objectId)
        value.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// Appends a UUID.
    @inlinable
    public mutating func append(uuid value: UUID) {
        append(PackedValue.Tag.uuid)
        withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
    }

    /// Appends a decimal.
    @inlinable
    public mutating func append(decimal128 value: Decimal128) {
        append(PackedValue.Tag.decimal128)
        withUnsafeBytes(of: (value.low, value.high)) { bytes.append(contentsOf: $0) }
    }

    /// Appends a link; the closure writes the primary key as one packed value.
    @inlinable
    public mutating func append<E: Error>(
        linkTo className: String,
        key: Int64,
        primaryKey: (inout PackedValueWriter) throws(E) -> Void
    ) throws(E) {
        var name = className
        name.withUTF8 { append(.link, counted: UnsafeRawBufferPointer($0)) }
        appendRaw(key)
        try primaryKey(&self)
    }

    /// Appends a list of `count` elements that the closure writes.
    @inlinable
    public mutating func append<E: Error>(
        listOf count: Int,
        _ elements: (inout PackedValueWriter) throws(E) -> Void
    ) throws(E) {
        try append(.list, count: count, elements)
    }

    /// Appends a dictionary of `count` entries; the closure calls ``appendKey(_:)`` before each value.
    @inlinable
    public mutating func append<E: Error>(
        dictionaryOf count: Int,
        _ entries: (inout PackedValueWriter) throws(E) -> Void
    ) throws(E) {
        try append(.dictionary, count: count, entries)
    }

    /// Appends the key of the dictionary entry whose value follows.
    @inlinable
    public mutating func appendKey(_ key: String) {
        var text = key
        text.withUTF8 { utf8 in
            appendRaw(UInt32(utf8.count))
            bytes.append(contentsOf: utf8)
        }
    }

    /// Appends the row of an embedded object.
    @inlinable
    public mutating func append(embedded snapshot: ObjectSnapshot) {
        append(.embedded, counted: snapshot.rowBytes)
    }

    /// Appends a decoded value with all that it contains.
    public mutating func append(_ value: Value) {
        switch value {
        case .null: appendNull()
        case .bool(let value): append(bool: value)
        case .int(let value): append(int: value)
        case .float(let value): append(float: value)
        case .double(let value): append(double: value)
        case .string(let value): append(string: value)
        case .data(let value): value.withUnsafeBytes { append(data: $0) }
        case .date(let value): append(date: value)
        case .objectId(let value): append(objectId: value)
        case .uuid(let value): append(uuid: value)
        case .decimal128(let value): append(decimal128: value)
        case .link(let value):
            append(linkTo: value.className, key: value.key) { $0.append(value.primaryKey) }
        case .list(let elements):
            append(listOf: elements.count) { writer in
                for element in elements { writer.append(element) }
            }
        case .dictionary(let entries):
            append(dictionaryOf: entries.count) { writer in
                for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                    writer.appendKey(key)
                    writer.append(value)
                }
            }
        case .object(let snapshot): append(embedded: snapshot)
        }
    }

    @inlinable
    mutating func append(_ tag: PackedValue.Tag) { bytes.append(tag.rawValue) }

    @inlinable
    mutating func append(_ tag: PackedValue.Tag, raw value: some BitwiseCopyable) {
        append(tag)
        appendRaw(value)
    }

    @inlinable
    mutating func append(_ tag: PackedValue.Tag, counted content: UnsafeRawBufferPointer) {
        append(tag)
        appendRaw(UInt32(content.count))
        bytes.append(contentsOf: content)
    }

    @inlinable
    mutating func append<E: Error>(
        _ tag: PackedValue.Tag,
        count: Int,
        _ content: (inout PackedValueWriter) throws(E) -> Void
    ) throws(E) {
        append(tag)
        let lengthPosition = bytes.count
        appendRaw(UInt32(0))
        appendRaw(UInt32(count))
        try content(&self)
        let length = UInt32(bytes.count - lengthPosition - 4)
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: length, toByteOffset: lengthPosition, as: UInt32.self) }
    }

    @inlinable
    mutating func appendRaw(_ value: some BitwiseCopyable) {
        withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }
}
