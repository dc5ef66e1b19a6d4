import EventModel

/// The last frame of a sealed partition: says where the seal lies, so that it is found from the end of the file.
enum PartitionEnd {
    /// The size of the whole frame.
    static let frameCount = FrameHeader.byteCount + 8

    /// The content for a seal at an offset.
    static func payload(sealOffset: UInt64) -> [UInt8] {
        withUnsafeBytes(of: sealOffset.littleEndian) { Array($0) }
    }

    /// Reads the content; nil when it has another size.
    static func sealOffset(in payload: [UInt8]) -> UInt64? {
        guard payload.count == 8 else { return nil }
        return payload.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Finds the seal of a file that ends with this frame; nil when it does not.
    static func seal(
        of partition: PartitionID,
        in file: any OpenFile,
        size: UInt64
    ) throws(FileSystemError) -> PartitionSeal? {
        guard size >= UInt64(PartitionPreamble.byteCount + frameCount) else { return nil }
        let preamble = try file.bytes(at: 0, count: PartitionPreamble.byteCount)
        guard preamble.withUnsafeBytes({ PartitionPreamble.partition(in: $0) }) == partition.id else { return nil }
        var last = FrameScanner(file, partition: partition.id, from: size - UInt64(frameCount), to: size)
        guard case .frame(let end) = try last.next(), end.header.kind == .end,
            let offset = sealOffset(in: end.payload), offset >= UInt64(PartitionPreamble.byteCount), offset < end.offset
        else { return nil }
        var scanner = FrameScanner(file, partition: partition.id, from: offset, to: end.offset)
        guard case .frame(let frame) = try scanner.next(), frame.header.kind == .seal, frame.end == end.offset,
            let seal = FrameJSON.decode(PartitionSeal.self, from: frame.payload), seal.partition == partition,
            // What a file claims has no bound; places behind so many events could not be counted any more.
            seal.count < 1 << 62
        else { return nil }
        return seal
    }
}
