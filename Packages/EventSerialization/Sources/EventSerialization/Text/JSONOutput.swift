#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// JSON text under construction: bytes in memory that grows by doubling.
///
/// Callers reserve once for what they write next; the writes themselves check nothing but in debug builds.
struct JSONOutput: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        base = Self.memory(malloc(capacity))
    }

    deinit {
        free(base)
    }

    /// The text so far.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    /// Makes room for more bytes.
    @inline(__always)
    mutating func reserve(_ additional: Int) {
        if count + additional > capacity { grow(additional) }
    }

    /// Appends one byte to reserved room.
    @inline(__always)
    mutating func write(_ byte: UInt8) {
        assert(count < capacity)
        base[count] = byte
        count += 1
    }

    /// Appends bytes to reserved room.
    @inline(__always)
    mutating func write(_ address: UnsafeRawPointer, count length: Int) {
        assert(count + length <= capacity)
        UnsafeMutableRawPointer(base + count).copyMemory(from: address, byteCount: length)
        count += length
    }

    /// Appends a few bytes to reserved room, of which there must be seven more, as must be bytes behind the address.
    ///
    /// Whole words are copied: for names of properties, that is faster than a call.
    @inline(__always)
    mutating func write(padded address: UnsafeRawPointer, count length: Int) {
        assert(count + length + 7 <= capacity)
        let target = UnsafeMutableRawPointer(base + count)
        var offset = 0
        while offset < length {
            let word = address.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        count += length
    }

    /// Appends the eight bytes of a word in the order of memory to reserved room.
    @inline(__always)
    mutating func write(word: UInt64) {
        assert(count + 8 <= capacity)
        UnsafeMutableRawPointer(base + count).storeBytes(of: word, as: UInt64.self)
        count += 8
    }

    /// Appends ASCII text that is part of the program.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        reserve(text.utf8CodeUnitCount)
        write(text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// Appends bytes.
    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let address = bytes.baseAddress else { return }
        reserve(bytes.count)
        write(address, count: bytes.count)
    }

    /// Lets the closure fill so many bytes of reserved room.
    @inline(__always)
    mutating func withRoom(_ length: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        assert(count + length <= capacity)
        fill(base + count)
        count += length
    }

    /// Takes so many bytes at the end back.
    @inline(__always)
    mutating func withdraw(_ length: Int) {
        count -= length
    }

    /// Ends an array or object whose members were all written with a comma before them.
    ///
    /// - Parameters:
    ///   - start: Where the first comma is, if there is a member.
    ///   - opening: The bracket that takes the place of that comma.
    ///   - closing: The bracket at the end.
    @inline(__always)
    mutating func close(from start: Int, _ opening: UInt8, _ closing: UInt8) {
        reserve(2)
        if count == start {
            write(opening)
        } else {
            base[start] = opening
        }
        write(closing)
    }

    @inline(never)
    private mutating func grow(_ additional: Int) {
        capacity = max(capacity * 2, count + additional)
        // The system moves the pages of a large text instead of its bytes.
        base = Self.memory(realloc(base, capacity))
    }

    private static func memory(_ address: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<UInt8> {
        guard let address else { fatalError("There is no memory left for the JSON of an event.") }
        return address.assumingMemoryBound(to: UInt8.self)
    }
}
