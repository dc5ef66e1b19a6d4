/// Where a realm that syncs was when something happened: what binds an event to the order of the server.
///
/// With a read it says what the device knew: all of the server's entries up to ``position``, and of its own changes all up to
/// ``change``. With a write it says which changes of the file the transaction became: the last ``changeCount`` up to ``change``.
/// The server says which entry each of them became, from which user and device, and what came of it.
public struct SyncReference: Sendable, Hashable {
    /// The file; nil until the server has named it, which it does when the file first reaches it.
    ///
    /// Its changes have their numbers before, and keep them.
    public let file: File?
    /// The number of the last of the server's entries that were in the file; 0 for none.
    ///
    /// A version of a file keeps the position that it was first read at, when later entries changed nothing in it.
    public let position: Int
    /// The number of the last change of the file itself that was in it; 0 for none.
    public let change: Int
    /// How many changes, up to ``change``, the event itself made: 0 for a read.
    public let changeCount: Int

    /// Names a place.
    ///
    /// - Precondition: No number is negative, and not more changes were made than there are.
    public init(file: File?, position: Int, change: Int, changeCount: Int = 0) {
        precondition(
            position >= 0 && 0..<Int.max ~= change && 0...min(change, Int(UInt32.max)) ~= changeCount,
            "A place in sync must have numbers from 0 on, and not more changes may be made than there are."
        )
        self.file = file
        self.position = position
        self.change = change
        self.changeCount = changeCount
    }

    /// The numbers of the changes that the event made; empty for a read.
    public var changes: Range<Int> { change - changeCount + 1..<change + 1 }

    /// A realm file as the server knows it.
    public struct File: Sendable, Hashable {
        private let high: UInt64
        private let low: UInt64
        /// The number of the file in the realm, from 1.
        public let number: UInt32

        /// The name of the realm's history on the server: 16 bytes, of which one is not 0.
        public var history: [UInt8] {
            withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
        }

        /// Names a file.
        ///
        /// - Parameters:
        ///   - history: The name of the realm's history.
        ///   - number: The number of the file.
        public init?(history: [UInt8], number: UInt32) {
            guard history.count == 16 else { return nil }
            let words = history.withUnsafeBytes { bytes in
                (0..<2).map { UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
            }
            self.init(high: words[0], low: words[1], number: number)
        }

        fileprivate init?(high: UInt64, low: UInt64, number: UInt32) {
            guard high | low != 0, number > 0 else { return nil }
            (self.high, self.low, self.number) = (high, low, number)
        }

        fileprivate var words: (high: UInt64, low: UInt64) { (high, low) }
    }
}

// MARK: - Encoding

extension SyncReference {
    /// How many bytes ``bytes`` has.
    public static let byteCount = 40

    /// The reference as bytes, by which the events of a file sort by its changes.
    ///
    /// ```
    /// history (16)  number of the file (4)  change (8)  changeCount (4)  position (8)
    /// ```
    ///
    /// Numbers are big-endian. A file that the server has not named is 20 zeros.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        append(to: &bytes)
        return bytes
    }

    /// Appends ``bytes``.
    func append(to bytes: inout [UInt8]) {
        let words = file?.words ?? (high: 0, low: 0)
        let name = (words.high.bigEndian, words.low.bigEndian)
        withUnsafeBytes(of: name) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: (file?.number ?? 0).bigEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt64(change).bigEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt32(changeCount).bigEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt64(position).bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Reads a reference from exactly ``byteCount`` bytes.
    ///
    /// - Parameter bytes: The bytes; nil is the answer when there are others, half of a file is named, a number has more than 63 bits, or
    ///   more changes were made than there are.
    public init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        func number<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
            Number(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
        let (high, low) = (number(0, UInt64.self), number(8, UInt64.self))
        let fileNumber = number(16, UInt32.self)
        let file = File(high: high, low: low, number: fileNumber)
        guard file != nil || high | low == 0 && fileNumber == 0,
            let change = Int(exactly: number(20, UInt64.self)), change < Int.max,
            let position = Int(exactly: number(32, UInt64.self)),
            let changeCount = Int(exactly: number(28, UInt32.self)), changeCount <= change
        else { return nil }
        self.init(file: file, position: position, change: change, changeCount: changeCount)
    }

    /// Reads a reference from exactly ``byteCount`` bytes.
    ///
    /// - Parameter bytes: The bytes; nil is the answer as with a pointer.
    public init?(bytes: [UInt8]) {
        guard let reference = bytes.withUnsafeBytes({ SyncReference(bytes: $0) }) else { return nil }
        self = reference
    }
}
