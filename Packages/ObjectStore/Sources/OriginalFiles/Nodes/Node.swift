/// A header and the elements behind it, all of which lie inside of the file.
///
/// It is good for as long as the ``NodeReader`` that made it.
struct Node {
    /// Where the elements begin.
    let payload: UnsafeRawPointer
    /// How many elements there are; in a node of kind 2 as many bytes.
    let size: Int
    /// How wide an element is: in bits for kind 0, in bytes for kind 1.
    let width: Int
    private let flags: UInt8

    init(payload: UnsafeRawPointer, size: Int, flags: UInt8) {
        self.payload = payload
        self.size = size
        self.flags = flags
        let code = flags & 7
        width = code == 0 ? 0 : 1 << Int(code - 1)
    }

    /// Whether it is an inner node of a tree.
    var isInner: Bool { flags & 0x80 != 0 }
    /// Whether the elements are refs or tagged numbers.
    var hasRefs: Bool { flags & 0x40 != 0 }
    /// A flag whose meaning depends on the place.
    var hasContext: Bool { flags & 0x20 != 0 }
    /// How width and size are meant.
    var kind: UInt8 { flags >> 3 & 3 }

    /// How many bytes the elements have.
    var byteCount: Int {
        switch kind {
        case 0: (size * width + 7) / 8
        case 1: size * width
        default: size
        }
    }

    /// All elements as bytes.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: payload, count: byteCount) }

    // MARK: Numbers

    /// Reads a number of a node of kind 0; signed if it has eight bits or more.
    @inline(__always)
    func int(_ index: Int) throws(OriginalFileError) -> Int64 {
        guard index >= 0, index < size else { throw .damaged("a node has fewer elements than it should") }
        switch width {
        case 0: return 0
        case 1: return Int64(byte(index >> 3) >> UInt8(index & 7) & 1)
        case 2: return Int64(byte(index >> 2) >> UInt8((index & 3) * 2) & 3)
        case 4: return Int64(byte(index >> 1) >> UInt8((index & 1) * 4) & 15)
        case 8: return Int64(Int8(bitPattern: byte(index)))
        case 16: return Int64(Int16(littleEndian: payload.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)))
        case 32: return Int64(Int32(littleEndian: payload.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)))
        default: return Int64(littleEndian: payload.loadUnaligned(fromByteOffset: index * 8, as: Int64.self))
        }
    }

    /// Reads a number that is never signed.
    func unsigned(_ index: Int) throws(OriginalFileError) -> UInt64 {
        let number = UInt64(bitPattern: try int(index))
        switch width {
        case 8: return number & 0xFF
        case 16: return number & 0xFFFF
        case 32: return number & 0xFFFF_FFFF
        default: return number
        }
    }

    @inline(__always)
    private func byte(_ offset: Int) -> UInt8 { payload.load(fromByteOffset: offset, as: UInt8.self) }

    // MARK: Refs

    /// Reads a ref; nil for 0.
    func ref(_ index: Int) throws(OriginalFileError) -> Int64? {
        let number = try int(index)
        guard number & 1 == 0, number >= 0 else { throw .damaged("a number stands where a node should be named") }
        return number == 0 ? nil : number
    }

    /// Reads a ref that must be there.
    func someRef(_ index: Int) throws(OriginalFileError) -> Int64 {
        guard let ref = try ref(index) else { throw .damaged("a node is missing") }
        return ref
    }

    /// Reads a ref of a node that may be shorter; nil for 0 and behind the end.
    func refIfThere(_ index: Int) throws(OriginalFileError) -> Int64? {
        index < size ? try ref(index) : nil
    }

    /// Reads a tagged number.
    func tagged(_ index: Int) throws(OriginalFileError) -> Int64 {
        let number = try int(index)
        guard number & 1 == 1 else { throw .damaged("a node is named where a number should stand") }
        return number >> 1
    }

    /// Reads a tagged number of a node that may be shorter; nil for 0 and behind the end.
    func taggedIfThere(_ index: Int) throws(OriginalFileError) -> Int64? {
        guard index < size, try int(index) != 0 else { return nil }
        return try tagged(index)
    }
}
