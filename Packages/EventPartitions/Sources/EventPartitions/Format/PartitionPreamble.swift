import EventModel

/// The first 24 bytes of a partition file, a journal or the index: what it is, and which.
enum PartitionPreamble {
    static let byteCount = 24
    /// The version of the format that is written and read.
    static let version = 1

    /// The kinds of files; the last byte is the version of the format.
    enum Magic: String {
        case partition = "DAYPART\u{1}"
        case journal = "DAYJRNL\u{1}"
        case index = "DAYINDX\u{1}"

        /// What keys of files of this kind are derived with, besides salt and id; an index is never encrypted.
        var keyLabel: String {
            switch self {
            case .partition: "daybook partition 1"
            case .journal: "daybook journal 1"
            case .index: preconditionFailure("The index names partitions and no content; it is not encrypted.")
            }
        }
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
        guard isIntact(bytes), let address = bytes.baseAddress, bytes.starts(with: magic.rawValue.utf8)
        else { return nil }
        return ObjectId(loadedFrom: address + 8)
    }

    /// Reads the version of a file of this kind that is newer than this code; nil for every other content.
    static func newerVersion(in bytes: UnsafeRawBufferPointer, _ magic: Magic = .partition) -> Int? {
        let name = magic.rawValue.utf8.dropLast()
        guard isIntact(bytes), bytes.starts(with: name), Int(bytes[name.count]) > version else { return nil }
        return Int(bytes[name.count])
    }

    private static func isIntact(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= byteCount else { return false }
        let checked = UnsafeRawBufferPointer(rebasing: bytes[0..<20])
        let checksum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self))
        return CRC32C.checksum(checked) == checksum
    }
}
