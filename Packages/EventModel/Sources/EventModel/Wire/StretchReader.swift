#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads the body of an upload as it arrives, in pieces of any size, and hands on each event as soon as it is whole.
///
/// What is kept is the beginning of what is not whole yet; nothing is allocated because a length announces much.
///
/// ```swift
/// var reader = StretchReader()
/// for try await piece in body { try piece.withUnsafeBytes { try reader.read($0) { events.append(encoded: $0) } } }
/// let head = try reader.finish()
/// ```
public struct StretchReader: Sendable {
    /// What a stretch says before its events.
    public struct Head: Sendable, Hashable {
        /// The partition.
        public let partition: PartitionID
        /// The sequence of the first event, at least 1.
        public let firstSequence: UInt64
        /// The root of the tree over every event of the partition up to the last one of the stretch.
        public let root: Digest
        /// The seal, not verified; nil when there is none.
        public let seal: PartitionSeal?
        /// How many events follow, as the sender announces it.
        public let eventCount: UInt64
    }

    /// What is said before the events; nil until it is whole.
    public private(set) var head: Head?
    /// How many events were handed on.
    public private(set) var eventCount: UInt64 = 0
    /// How many bytes were read and are not kept.
    private var offset = 0
    /// What is not whole yet.
    private var rest: [UInt8] = []
    /// How many bytes ``rest`` must have before it can be whole.
    private var wanted = 0

    /// Begins with an empty body.
    public init() {}

    /// Reads the next piece.
    ///
    /// - Parameters:
    ///   - piece: The bytes behind those of the last call; good for no longer than the call.
    ///   - body: Gets the canonical encoding of each event that is whole now, undecoded.
    /// - Throws: ``EventModelError/malformedEvent(offset:reason:)`` when the bytes have another form than
    ///   ``PartitionStretch/wireBytes()`` writes, ``EventModelError/longSeal(byteCount:)`` as soon as a long one is announced,
    ///   and what the closure throws. Nothing can be read after that.
    /// - Complexity: O(*n*) in the bytes of all pieces, amortized.
    public mutating func read(
        _ piece: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(EventModelError) -> Void
    ) throws(EventModelError) {
        guard !rest.isEmpty else {
            let used = try take(piece, body)
            offset += used
            rest.append(contentsOf: piece[used...])
            return
        }
        rest.append(contentsOf: piece)
        guard rest.count >= wanted else { return }
        var whole: [UInt8] = []
        swap(&whole, &rest)
        let result = whole.withUnsafeBytes { bytes in
            Result { () throws(EventModelError) in try take(bytes, body) }
        }
        let used = try result.get()
        offset += used
        whole.removeFirst(used)
        rest = whole
    }

    /// Ends the body.
    ///
    /// - Returns: What stood before the events, all of which were handed on.
    /// - Throws: ``EventModelError/malformedEvent(offset:reason:)`` when something is missing.
    public func finish() throws(EventModelError) -> Head {
        guard let head, eventCount == head.eventCount else {
            throw .malformedEvent(offset: offset + rest.count, reason: "the body ends before it is whole")
        }
        return head
    }

    /// Reads what is whole; returns how many bytes that was.
    private mutating func take(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(EventModelError) -> Void
    ) throws(EventModelError) -> Int {
        var position = 0
        if head == nil {
            head = try head(in: bytes, &position)
            // It is read from its first byte again, a few times at most: it is short, but for the seal, which is waited for.
            if head == nil { return 0 }
        }
        while let head, eventCount < head.eventCount {
            let start = position
            guard let event = try counted(in: bytes, &position, from: start) else { return start }
            try body(event)
            eventCount += 1
        }
        guard position == bytes.count else {
            throw malformed(position, "\(bytes.count - position) bytes are left over")
        }
        return position
    }

    // MARK: - Parts

    private static let magic: [UInt8] = PartitionStretch.magic
    /// The longest prefix that `PartitionID.checkPrefix(_:)` accepts, a hyphen and the id.
    ///
    /// Without a bound whoever sends a name of many megabytes has them repeated in the refusal.
    private static let maximumNameBytes = 128 + 1 + 24

    /// What is announced to be too long.
    private enum Excess {
        case longName, longSeal
    }

    /// Reads all that stands before the events; nil when it is not whole.
    private mutating func head(in bytes: UnsafeRawBufferPointer, _ position: inout Int) throws(EventModelError) -> Head?
    {
        for (place, expected) in Self.magic.enumerated() where place < bytes.count && bytes[place] != expected {
            throw .malformedEvent(offset: 0, reason: "the body does not start with DBS1")
        }
        position = Self.magic.count
        guard let name = try counted(in: bytes, &position, from: 0, upTo: Self.maximumNameBytes, .longName) else {
            return nil
        }
        guard let text = String(validating: name, as: UTF8.self) else { throw malformed(position, "text is not UTF-8") }
        let partition = try PartitionID(text)
        guard let numbers = part(of: bytes, &position, byteCount: 8 + Digest.byteCount, from: 0) else { return nil }
        let firstSequence = UInt64(littleEndian: numbers.loadUnaligned(as: UInt64.self))
        guard firstSequence >= 1 else { throw malformed(position, "sequences start at 1") }
        guard let root = Digest(numbers[8...]) else { throw malformed(position, "the root is missing") }
        let limit = PartitionSeal.maximumBytes
        guard let seal = try counted(in: bytes, &position, from: 0, upTo: limit, .longSeal) else { return nil }
        guard let count = try varint(in: bytes, &position, from: 0) else { return nil }
        return Head(
            partition: partition,
            firstSequence: firstSequence,
            root: root,
            seal: try self.seal(seal, at: position),
            eventCount: count
        )
    }

    private func seal(_ bytes: UnsafeRawBufferPointer, at position: Int) throws(EventModelError) -> PartitionSeal? {
        guard !bytes.isEmpty else { return nil }
        do {
            return try JSONDecoder().decode(PartitionSeal.self, from: Data(bytes))
        } catch {
            throw malformed(position, "the seal is not valid JSON")
        }
    }

    /// Reads bytes behind their count; nil when they are not whole, counted from where what is kept begins.
    private mutating func counted(
        in bytes: UnsafeRawBufferPointer,
        _ position: inout Int,
        from start: Int,
        upTo limit: Int = .max,
        _ excess: Excess = .longName
    ) throws(EventModelError) -> UnsafeRawBufferPointer? {
        guard let number = try varint(in: bytes, &position, from: start) else { return nil }
        guard let count = Int(exactly: number), count <= Int.max - offset - position else {
            throw malformed(position, "a length exceeds the address space")
        }
        if count > limit {
            switch excess {
            case .longName: throw malformed(position, "the partition's name has more than \(limit) bytes")
            case .longSeal: throw .longSeal(byteCount: count)
            }
        }
        return part(of: bytes, &position, byteCount: count, from: start)
    }

    private mutating func part(
        of bytes: UnsafeRawBufferPointer,
        _ position: inout Int,
        byteCount: Int,
        from start: Int
    ) -> UnsafeRawBufferPointer? {
        guard byteCount <= bytes.count - position else {
            wanted = position + byteCount - start
            return nil
        }
        defer { position += byteCount }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + byteCount)])
    }

    private mutating func varint(
        in bytes: UnsafeRawBufferPointer,
        _ position: inout Int,
        from start: Int
    ) throws(EventModelError) -> UInt64? {
        // The last byte of a number has no high bit; no number has more than ten.
        guard position < bytes.count,
            bytes[position...].prefix(10).contains(where: { $0 < 0x80 }) || bytes.count - position >= 10
        else {
            wanted = max(bytes.count, position) - start + 1
            return nil
        }
        var reader = EventReader(bytes: UnsafeRawBufferPointer(rebasing: bytes[position...]))
        do {
            let value = try reader.varint()
            position += reader.position
            return value
        } catch .malformedEvent(let place, let reason) {
            throw malformed(position + place, reason)
        }
    }

    private func malformed(_ position: Int, _ reason: String) -> EventModelError {
        .malformedEvent(offset: offset + position, reason: reason)
    }
}
