import EventModel

/// The first 24 bytes of a partition file or journal: what it is, and which.
enum PartitionPreamble {
    static let byteCount = 24
    /// The kinds of files; the last byte is the version of the format.
    enum Magic: String {
        case partition = "DAYPART\u{1}"
        case journal = "DAYJRNL\u{1}"
    }

    /// Appends the preamble of a file.
    static func append(_ partition: ObjectId, _ magic: Magic = .partition, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: magic.rawValue.utf8)
        partition.withUnsafeBytes { bytes.append(contentsOf: $0) }
        let checksum = bytes.withUnsafeBytes { CRC32C.checksum(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        withUnsafeBytes(of: checksum.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Reads the id of the file, or nil when the bytes are not a preamble of this kind and version.
    static func partition(in bytes: UnsafeRawBufferPointer, _ magic: Magic = .partition) -> ObjectId? {
        guard bytes.count >= byteCount, let address = bytes.baseAddress, bytes.starts(with: magic.rawValue.utf8)
        else { return nil }
        let checked = UnsafeRawBufferPointer(rebasing: bytes[0..<20])
        let checksum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self))
        guard CRC32C.checksum(checked) == checksum else { return nil }
        return ObjectId(loadedFrom: address + 8)
    }
}
