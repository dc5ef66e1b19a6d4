import EventModel

/// A value in PostgreSQL's binary form: it travels beside a statement and never inside it.
struct SQLValue: Sendable {
    /// The bytes; nil is NULL.
    let bytes: [UInt8]?

    /// NULL of any type.
    static let null = SQLValue(bytes: nil)

    /// Makes a `text`, see ``SQLText``.
    static func text(_ text: String?) -> SQLValue {
        SQLValue(bytes: text.map { SQLText.stored($0) })
    }

    /// Makes a `text` of bytes that need not be UTF-8.
    static func text(bytes: [UInt8]?) -> SQLValue {
        SQLValue(bytes: bytes.map { SQLText.stored($0) })
    }

    /// Makes a `bytea`.
    static func bytes(_ bytes: [UInt8]) -> SQLValue { SQLValue(bytes: bytes) }

    /// Makes a `bigint`.
    static func bigint(_ number: Int64?) -> SQLValue { SQLValue(bytes: number.map(bigEndian)) }

    /// Makes an `integer`.
    static func integer(_ number: Int32) -> SQLValue { SQLValue(bytes: bigEndian(number)) }

    /// Makes a `smallint`.
    static func smallint(_ number: Int16) -> SQLValue { SQLValue(bytes: bigEndian(number)) }

    /// Makes a `boolean`.
    static func boolean(_ isTrue: Bool) -> SQLValue { SQLValue(bytes: [isTrue ? 1 : 0]) }

    /// Makes a `uuid`, whose 16 bytes a boot has.
    static func uuid(_ boot: Boot) -> SQLValue {
        SQLValue(bytes: bigEndian(boot.high) + bigEndian(boot.low))
    }

    /// Makes a `bytea[]`; nil is NULL.
    static func array(ofBytes values: [[UInt8]?]) -> SQLValue { array(values, elementType: 17) }

    /// Makes a `text[]`.
    static func array(ofTexts values: [String]) -> SQLValue {
        array(values.map { SQLText.stored($0) }, elementType: 25)
    }

    /// Makes a `bigint[]`.
    static func array(ofNumbers values: [Int64]) -> SQLValue { array(values.map(bigEndian), elementType: 20) }

    /// Lays out an array of one dimension, whose first index is 1: counts, type, then each element behind its length.
    ///
    /// Behind the first count stands whether there is a NULL, whose length is -1.
    private static func array(_ values: [[UInt8]?], elementType: Int32) -> SQLValue {
        guard !values.isEmpty else {
            return SQLValue(bytes: bigEndian(Int32(0)) + bigEndian(Int32(0)) + bigEndian(elementType))
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + values.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
        let holdsNull: Int32 = values.contains { $0 == nil } ? 1 : 0
        for number in [1, holdsNull, elementType, Int32(values.count), 1] { bytes += bigEndian(number) }
        for value in values {
            bytes += bigEndian(Int32(value?.count ?? -1))
            bytes += value ?? []
        }
        return SQLValue(bytes: bytes)
    }

    static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
