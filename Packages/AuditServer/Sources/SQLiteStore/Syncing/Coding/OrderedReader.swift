import ChangeModel
import EventModel
import SyncServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads what ``OrderedBytes`` wrote, from a database that somebody may have damaged.
struct OrderedReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a path as a whole.
    static func path(_ bytes: [UInt8]) throws(SyncServerError) -> CellPath {
        var reader = OrderedReader(bytes)
        var steps: [CellPath.Step] = []
        while !reader.isAtEnd { steps.append(try reader.step()) }
        return CellPath(steps: steps)
    }

    /// Reads a primary key as a whole.
    static func key(_ bytes: [UInt8]) throws(SyncServerError) -> PrimaryKey {
        var reader = OrderedReader(bytes)
        let key = try reader.key()
        guard reader.isAtEnd else { throw damage }
        return key
    }

    /// What is thrown for bytes that nobody wrote.
    static var damage: SyncServerError { .unavailable(reason: "a row of a realm is damaged") }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func byte() throws(SyncServerError) -> UInt8 {
        guard offset < bytes.count else { throw Self.damage }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func fixed<Number: FixedWidthInteger>(_ type: Number.Type) throws(SyncServerError) -> Number {
        let size = MemoryLayout<Number>.size
        guard bytes.count - offset >= size else { throw Self.damage }
        defer { offset += size }
        return Number(bigEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) })
    }

    mutating func ended() throws(SyncServerError) -> [UInt8] {
        var content: [UInt8] = []
        while true {
            let byte = try byte()
            if byte == 0 {
                guard offset < bytes.count, bytes[offset] == 0xFF else { return content }
                offset += 1
            }
            content.append(byte)
        }
    }

    mutating func text() throws(SyncServerError) -> ExactText {
        // Nearly every text is without a zero byte, and read where it is.
        let plain: (text: String?, end: Int)? = bytes.withUnsafeBufferPointer { bytes in
            let rest = UnsafeBufferPointer(rebasing: bytes[offset...])
            guard let count = rest.firstIndex(of: 0), count + 1 == rest.count || rest[count + 1] != 0xFF else {
                return nil
            }
            return (String(validUTF8: UnsafeBufferPointer(rebasing: rest[..<count])), offset + count + 1)
        }
        if let plain { offset = plain.end }
        guard let text = plain == nil ? String(validating: try ended(), as: UTF8.self) : plain?.text else {
            throw Self.damage
        }
        return ExactText(text)
    }

    mutating func stamp() throws(SyncServerError) -> Stamp {
        let rank = try byte()
        guard rank < 2 else { throw Self.damage }
        let clock = HybridClock(bits: try fixed(UInt64.self))
        let file = try fixed(UInt32.self)
        return Stamp(clock, file: file, index: try fixed(UInt32.self), isDefault: rank == 0)
    }
}

// MARK: - Addresses

extension OrderedReader {
    mutating func step() throws(SyncServerError) -> CellPath.Step {
        switch try byte() {
        case 1: .property(try text())
        case 2: .life(try element())
        case 3: .key(try text())
        case 4: .element(try element())
        case 5: .member(try value())
        default: throw Self.damage
        }
    }

    mutating func element() throws(SyncServerError) -> ElementID {
        guard let id = ElementID(bits: try fixed(UInt64.self)) else { throw Self.damage }
        return id
    }

    mutating func key() throws(SyncServerError) -> PrimaryKey {
        switch try byte() {
        case 1: .null
        case 2: .int(try turned())
        case 3: .string(try text())
        case 4: .objectId(try objectId())
        case 5: .uuid(try uuid())
        default: throw Self.damage
        }
    }

    private mutating func turned() throws(SyncServerError) -> Int64 {
        Int64(bitPattern: try fixed(UInt64.self) ^ 1 << 63)
    }

    private mutating func objectId() throws(SyncServerError) -> ObjectId {
        let high = try fixed(UInt64.self)
        return ObjectId(high: high, low: try fixed(UInt32.self))
    }

    private mutating func uuid() throws(SyncServerError) -> UUID {
        guard bytes.count - offset >= 16 else { throw Self.damage }
        defer { offset += 16 }
        return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: uuid_t.self) })
    }
}

// MARK: - Values

extension OrderedReader {
    mutating func value() throws(SyncServerError) -> CellValue {
        switch try byte() {
        case 1: return .null
        case 2: return .bool(false)
        case 3: return .bool(true)
        case 4: return .int(try turned())
        case 5: return .float(Float(bitPattern: try fixed(UInt32.self)))
        case 6: return .double(Double(bitPattern: try fixed(UInt64.self)))
        case 7: return .string(try text())
        case 8: return .data(try ended())
        case 9: return .date(Double(bitPattern: try fixed(UInt64.self)))
        case 10: return .objectId(try objectId())
        case 11: return .uuid(try uuid())
        case 12:
            let high = try fixed(UInt64.self)
            return .decimal128(Decimal128(high: high, low: try fixed(UInt64.self)))
        case 13:
            let className = try text()
            return .link(ObjectAddress(className, try key()))
        case 14:
            let id = try element()
            guard let kind = Life.Kind(rawValue: try byte()) else { throw Self.damage }
            return .life(Life(id, kind))
        case 15:
            let className = try text()
            return .anyLink(ObjectAddress(className, try key()))
        default: throw Self.damage
        }
    }
}
