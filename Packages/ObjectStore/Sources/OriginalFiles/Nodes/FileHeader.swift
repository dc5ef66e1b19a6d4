/// What the first bytes of a file say, or the last ones of a file that was written as a copy.
struct FileHeader {
    /// The letters that each such file has.
    static let name = Array("T-DB".utf8)
    private static let cookie: UInt64 = 0x3034_1252_37E5_26C8

    let format: Int
    /// The uppermost node; nil in a file that nobody ever wrote to.
    let top: Int64?
    /// Where the nodes end.
    let limit: Int

    init(_ bytes: UnsafeRawBufferPointer) throws(OriginalFileError) {
        guard bytes.count >= 24, bytes[16..<20].elementsEqual(Self.name) else { throw Self.foreign(bytes) }
        guard bytes.count % 8 == 0 else { throw .cut }
        let slot = Int(bytes[23] & 1)
        let format = Int(bytes[20 + slot])
        var top = Self.number(bytes, 8 * slot)
        var limit = bytes.count
        if slot == 0, top == .max {
            guard bytes.count >= 40, Self.number(bytes, bytes.count - 8) == Self.cookie else { throw .cut }
            limit -= 16
            top = Self.number(bytes, limit)
        }
        self.format = format
        self.limit = limit
        if format == 0, top == 0 {
            self.top = nil
            return
        }
        guard format >= OriginalFile.formats.lowerBound else { throw .tooOld(format: format) }
        guard format <= OriginalFile.formats.upperBound else { throw .tooNew(format: format) }
        guard let place = Int64(exactly: top) else { throw .damaged("the uppermost node lies outside of the file") }
        self.top = place
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Says what a file looks like that is none of the original.
    private static func foreign(_ bytes: UnsafeRawBufferPointer) -> OriginalFileError {
        let start = bytes.prefix(256)
        if bytes.isEmpty { return .foreign(looksLike: "an empty file") }
        if start.starts(with: "SQLite format 3\0".utf8) { return .foreign(looksLike: "a SQLite database") }
        let isText = start.allSatisfy { (32..<127).contains($0) || (9...13).contains($0) || $0 >= 128 }
        if isText { return .foreign(looksLike: "text") }
        return bytes.count % 4096 == 0 ? .encrypted : .foreign(looksLike: "another kind of file")
    }
}
