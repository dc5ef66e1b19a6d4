import EventModel

/// Takes a statement apart as `SignedStatement` puts it together, and believes nothing unchecked.
///
/// Whoever has read all of it writes it again and compares: so there is one way to write each statement.
struct StatementReader {
    private var rest: ArraySlice<UInt8>

    /// Begins to read.
    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// Whether everything was read.
    var isAtEnd: Bool { rest.isEmpty }

    /// Reads eight letters that name the kind.
    mutating func kind() throws(ProofError) -> String { String(decoding: try take(8), as: UTF8.self) }

    /// Reads a number.
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(ProofError) -> Number {
        try take(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// Reads a digest.
    mutating func digest() throws(ProofError) -> Digest {
        guard let digest = Digest(try take(32)) else { throw Self.tooShort }
        return digest
    }

    /// Reads a time, in microseconds since 1970.
    mutating func instant() throws(ProofError) -> EventInstant { EventInstant(microseconds: try number()) }

    /// Reads a length and so many bytes.
    mutating func counted() throws(ProofError) -> [UInt8] { Array(try take(Int(number(UInt32.self)))) }

    /// Reads a length and a text of so many bytes.
    mutating func text() throws(ProofError) -> String {
        guard let text = String(validating: try counted(), as: UTF8.self) else {
            throw .malformedLogEntry(reason: "a text of it is not UTF-8")
        }
        return text
    }

    /// Reads a partition's text form.
    mutating func partition() throws(ProofError) -> PartitionID {
        let text = try text()
        do throws(EventModelError) {
            return try PartitionID(text)
        } catch {
            throw .malformedLogEntry(reason: "it names no partition")
        }
    }

    /// Reads a byte that is 0 or 1.
    mutating func flag() throws(ProofError) -> Bool {
        let byte = try number(UInt8.self)
        guard byte <= 1 else { throw .malformedLogEntry(reason: "a byte of it that says yes or no is another one") }
        return byte == 1
    }

    private mutating func take(_ count: Int) throws(ProofError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw Self.tooShort }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private static var tooShort: ProofError { .malformedLogEntry(reason: "it ends early") }
}
