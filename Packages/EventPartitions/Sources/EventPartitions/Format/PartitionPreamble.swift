import EventModel

/// The first 24 bytes of a partition file: what it is, and which.
enum PartitionPreamble {
    static let byteCount = 24
    /// The last byte is the version of the format.
    private static let magic = Array("DAYPART\u{1}".utf8)

    /// Appends the preamble of a partition.
    static func append(_ partition: ObjectId, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: magic)
        partition.withUnsafeBytes { bytes.append(contentsOf: $0) }
        let checksum = bytes.withUnsafeBytes { CRC32C.checksum(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        withUnsafeBytes(of: checksum.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Reads the id of the partition, or nil when the bytes are not a preamble of this version.
    static func partition(in bytes: UnsafeRawBufferPointer) -> ObjectId? {
        guard bytes.count >= byteCount, let address = bytes.baseAddress, bytes.starts(with: magic) else { return nil }
        let checked = UnsafeRawBufferPointer(rebasing: bytes[0..<20])
        let checksum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self))
        guard CRC32C.checksum(checked) == checksum else { return nil }
        return ObjectId(loadedFrom: address + magic.count)
    }
}
