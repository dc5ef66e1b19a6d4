/// Bytes that are written one after the other, into memory that is there before them.
///
/// An array asks for each byte whether it has the room and whether it is shared. Here both are asked once for all bytes of a value, of
/// which the greatest count is known.
struct ByteRoom {
    private var memory: Memory?
    /// How many bytes were written.
    private(set) var count = 0
    /// How many bytes are free in front of the first one.
    private let headroom: Int

    /// Begins without bytes and without memory.
    init(headroom: Int = 0) { self.headroom = headroom }

    /// Forgets the bytes, and keeps the room for them.
    mutating func removeAll() { count = 0 }

    /// Writes bytes.
    ///
    /// - Parameters:
    ///   - most: How many they are at most.
    ///   - body: Writes them from a place on, and moves the place behind them.
    @inline(__always)
    mutating func write(atMost most: Int, _ body: (inout UnsafeMutableRawPointer) -> Void) {
        let start = room(for: most) + count
        var end = start
        body(&end)
        assert(end - start <= most, "More bytes were written than there was room for.")
        count += end - start
    }

    /// Calls a body with the bytes.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard let memory else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        return withExtendedLifetime(memory) {
            body(UnsafeRawBufferPointer(start: memory.start + headroom, count: count))
        }
    }

    /// Calls a body with the bytes behind others, of which nobody knew how many they would be.
    ///
    /// - Parameters:
    ///   - headBytes: How many those in front are.
    ///   - head: Writes them.
    ///   - body: Takes all bytes, which are copied only where those in front need more than the headroom.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    mutating func withBytes<Result, Failure: Error>(
        behind headBytes: Int,
        _ head: (inout UnsafeMutableRawPointer) -> Void,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard headBytes <= headroom else {
            var whole = ByteRoom(headroom: headBytes)
            whole.reserve(count)
            withBytes { bytes in whole.write(atMost: bytes.count) { $0.put(bytes: bytes) } }
            return try whole.withBytes(behind: headBytes, head, body)
        }
        let start = room(for: 0) - headBytes
        var end = start
        head(&end)
        assert(end - start == headBytes, "What lies in front has another length than it was said to have.")
        return try withExtendedLifetime(memory) { () throws(Failure) in
            try body(UnsafeRawBufferPointer(start: start, count: headBytes + count))
        }
    }

    /// Makes room for more bytes, so that they are written without those before them being copied.
    mutating func reserve(_ bytes: Int) { _ = room(for: bytes) }

    /// Where the first byte is, in memory that has room for more and is nobody else's.
    @inline(__always)
    private mutating func room(for most: Int) -> UnsafeMutableRawPointer {
        if isKnownUniquelyReferenced(&memory), let memory, memory.capacity - headroom - count >= most {
            return memory.start + headroom
        }
        return grow(by: most)
    }

    @inline(never)
    private mutating func grow(by most: Int) -> UnsafeMutableRawPointer {
        let grown = Memory(capacity: headroom + max(2 * count, count + most, Self.least))
        let start = grown.start + headroom
        withBytes { bytes in
            if let address = bytes.baseAddress { start.copyMemory(from: address, byteCount: bytes.count) }
        }
        memory = grown
        return start
    }

    private static let least = 256

    /// Memory that is given back with the object.
    private final class Memory {
        let start: UnsafeMutableRawPointer
        let capacity: Int

        init(capacity: Int) {
            start = .allocate(byteCount: capacity, alignment: 1)
            self.capacity = capacity
        }

        deinit {
            start.deallocate()
        }
    }
}

// The bytes of ``ChangeWriter``, into memory that is known to have the room.
extension UnsafeMutableRawPointer {
    /// How many bytes a count takes at most.
    static let countBytes = 10

    @inline(__always)
    mutating func put(byte: UInt8) {
        storeBytes(of: byte, as: UInt8.self)
        self += 1
    }

    /// Writes a number of a fixed width.
    @inline(__always)
    mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        storeBytes(of: number.littleEndian, as: Number.self)
        self += MemoryLayout<Number>.size
    }

    /// Writes a number in as many groups of seven bits as it takes, the lowest first.
    @inline(__always)
    mutating func put(count: Int) {
        var rest = UInt64(count)
        while rest > 0x7F {
            put(byte: UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        put(byte: UInt8(truncatingIfNeeded: rest))
    }

    /// How many bytes ``put(count:)`` writes.
    static func bytes(ofCount count: Int) -> Int {
        (UInt64.bitWidth - UInt64(count | 1).leadingZeroBitCount + 6) / 7
    }

    /// Writes bytes as they are.
    @inline(__always)
    mutating func put(bytes: UnsafeRawBufferPointer) {
        guard let address = bytes.baseAddress else { return }
        copyMemory(from: address, byteCount: bytes.count)
        self += bytes.count
    }
}
