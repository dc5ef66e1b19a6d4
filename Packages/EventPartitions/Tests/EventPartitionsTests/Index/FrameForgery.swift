import EventModel
import Foundation
import Testing

@testable import EventPartitions

/// Changes files as somebody does who knows the format and has no key.
enum FrameForgery {
    /// Changes one letter of the first event of a plain file, and makes all checksums right.
    static func changingEvent(in bytes: [UInt8], of partition: ObjectId) throws -> [UInt8] {
        var bytes = bytes
        var offset = PartitionPreamble.byteCount
        while offset < bytes.count {
            let header = try #require(
                bytes.withUnsafeBytes { buffer in
                    FrameHeader(UnsafeRawBufferPointer(rebasing: buffer[offset...]), at: UInt64(offset), of: partition)
                }
            )
            guard header.kind == .events else {
                offset += header.frameCount
                continue
            }
            let start = offset + FrameHeader.byteCount
            var payload = Array(bytes[start..<start + header.payloadCount])
            payload[payload.count - 2] ^= 1
            let changed = payload.withUnsafeBytes {
                FrameHeader(
                    kind: .events,
                    flags: header.flags,
                    payload: $0,
                    firstSequence: header.firstSequence,
                    eventCount: header.eventCount
                )
            }
            bytes.replaceSubrange(offset..<start, with: changed.bytes(at: UInt64(offset), of: partition))
            bytes.replaceSubrange(start..<start + payload.count, with: payload)
            return bytes
        }
        throw CocoaError(.fileReadCorruptFile)
    }
}
