/// The content of a frame of events in front of encryption: as it is, or packed when that is smaller.
struct FrameContent: Sendable {
    /// The content as it goes into the frame, packed if that is shorter.
    let bytes: [UInt8]
    /// Whether ``ContentUnpacker`` has to restore them.
    let isPacked: Bool

    /// Packs a content if that makes it smaller.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    init(packing plain: [UInt8]) {
        let packed = plain.withUnsafeBytes { PackerPool.shared.pack($0) }
        bytes = packed ?? plain
        isPacked = packed != nil
    }

    /// The bytes as they were; nil when these are damaged.
    var plain: [UInt8]? { isPacked ? bytes.withUnsafeBytes { ContentUnpacker.unpack($0) } : bytes }
}
