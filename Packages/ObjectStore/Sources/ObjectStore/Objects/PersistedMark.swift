/// What a wrapper knows beside its value: the options of its declaration, or whose wrapper it is.
///
/// Encoding hands over the wrapper alone, so that those of managed objects of encodable classes must find their object. The
/// seven bytes fit behind a value of nine or seventeen without making the wrapper larger.
@frozen
@usableFromInline
struct PersistedMark: Sendable {
    // The bytes of a number of 56 bits, the lowest first. Highest bit: whether an object is known. Then eleven bits of the
    // slot and 44 of the object's address, whose four lowest are zero; without an object the options.
    @usableFromInline
    typealias Bytes = (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)
    @usableFromInline var bytes: Bytes

    @inlinable
    init(_ options: PersistedOptions) {
        bytes = (options.rawValue, 0, 0, 0, 0, 0, 0)
    }

    /// Creates the mark of a wrapper of a managed object; for a slot above 2047 one without the object.
    init(object: ObjectBase, slot: Int) {
        let address = UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
        let bits = slot < 1 << 11 ? 1 << 55 | UInt64(slot) << 44 | address >> 4 : 0
        func byte(_ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: bits >> (index * 8)) }
        bytes = (byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6))
    }

    private var bits: UInt64 {
        let low = UInt64(bytes.0) | UInt64(bytes.1) << 8 | UInt64(bytes.2) << 16 | UInt64(bytes.3) << 24
        return low | UInt64(bytes.4) << 32 | UInt64(bytes.5) << 40 | UInt64(bytes.6) << 48
    }

    /// What the declaration says; empty once an object is known.
    var options: PersistedOptions {
        bits >> 55 == 0 ? PersistedOptions(rawValue: bytes.0) : []
    }

    /// The managed object that the wrapper is a part of, and its slot.
    ///
    /// - Precondition: The object is alive, as it is while it is being encoded.
    var place: (object: ObjectBase, slot: Int)? {
        let bits = bits
        guard bits >> 55 == 1, let address = UnsafeRawPointer(bitPattern: UInt((bits & (1 << 44 - 1)) << 4)) else {
            return nil
        }
        // SAFETY: the wrapper lies inside the object, and a copy of it only exists while the object is encoded.
        let object = Unmanaged<ObjectBase>.fromOpaque(address).takeUnretainedValue()
        return (object, Int(bits >> 44 & (1 << 11 - 1)))
    }
}

extension ObjectBase {
    /// Lets the wrappers of a managed object know it.
    func markWrappers(_ schema: ClassSchema) {
        guard type(of: self) == schema.type else { return }
        for property in schema.properties {
            property.wrapper?.mark(at: property.field(in: self), object: self, slot: property.slot)
        }
    }
}
