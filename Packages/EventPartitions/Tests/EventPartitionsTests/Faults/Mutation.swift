import EventModel
import EventModelTesting
import EventPartitionsTesting

@testable import EventPartitions

/// Ways in which a file can be wrong.
enum Mutation {
    private static let interesting: [UInt64] = [
        0, 1, 0x7F, 0x80, 0xFF, 0xFFFF, UInt64(Int32.max), UInt64(UInt32.max), UInt64(Int64.max), .max - 1, .max,
    ]

    /// Changes some bytes: flips, runs, cuts, copies and numbers at the ends of their range.
    static func bytes(_ original: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        for _ in 0...random.below(3) {
            let place = random.below(bytes.count)
            let count = random.below(min(64, bytes.count - place))
            switch random.below(8) {
            case 0, 1: if !bytes.isEmpty { bytes[place] ^= UInt8(1 << random.below(8)) }
            case 2: bytes.removeSubrange(place..<place + count)
            case 3: bytes.insert(contentsOf: bytes[place..<place + count], at: random.below(bytes.count))
            case 4: bytes.removeLast(bytes.count - place)
            case 5: for index in place..<place + count { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
            case 6: for index in place..<place + count { bytes[index] = 0 }
            default:
                let number = interesting[random.below(interesting.count)]
                withUnsafeBytes(of: number.littleEndian) { source in
                    for (index, byte) in source.enumerated() where place + index < bytes.count {
                        bytes[place + index] = byte
                    }
                }
            }
        }
        return bytes
    }

    /// Bytes that were never a file.
    static func noise(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<random.below(2000)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    /// Changes, drops, repeats and swaps frames, and gives all of them the right checksums for their new places.
    static func frames(_ sample: SampleFile, _ random: inout SeededGenerator) throws -> [UInt8] {
        let id = ObjectId(high: 0, low: 1)
        let fixture = try sample.place(sample.bytes)
        let file = try fixture.disk.open(sample.path, .read)
        let start = UInt64(PartitionPreamble.byteCount)
        var scanner = FrameScanner(file, partition: id, from: start, to: UInt64(sample.bytes.count))
        var frames: [FrameScanner.Frame] = []
        while let finding = try scanner.next() { if case .frame(let frame) = finding { frames.append(frame) } }
        for _ in 0...random.below(2) {
            let place = random.below(frames.count)
            switch random.below(5) {
            case 0: if !frames.isEmpty { frames.remove(at: place) }
            case 1: if !frames.isEmpty { frames.insert(frames[place], at: random.below(frames.count)) }
            case 2: if !frames.isEmpty { frames.swapAt(place, random.below(frames.count)) }
            default: break
            }
        }
        var result = Array(sample.bytes.prefix(PartitionPreamble.byteCount))
        for frame in frames { append(frame, to: &result, of: id, &random) }
        return result
    }

    private static func append(
        _ frame: FrameScanner.Frame,
        to result: inout [UInt8],
        of id: ObjectId,
        _ random: inout SeededGenerator
    ) {
        var payload = frame.payload
        var kind = frame.header.kind
        var flags = frame.header.flags
        var sequence = frame.header.firstSequence
        var count = frame.header.eventCount
        if random.once(in: 3) {
            switch random.below(7) {
            case 0, 1: payload = bytes(payload, &random)
            case 2: payload = json(payload, &random)
            case 3: kind = FrameHeader.Kind(rawValue: UInt8(1 + random.below(7))) ?? kind
            case 4: flags = FrameHeader.Flags(rawValue: UInt8(random.below(4)))
            case 5: sequence = interesting[random.below(interesting.count)]
            default: count = Int(UInt32(truncatingIfNeeded: interesting[random.below(interesting.count)]))
            }
        }
        payload.withUnsafeBytes { buffer in
            FrameHeader(kind: kind, flags: flags, payload: buffer, firstSequence: sequence, eventCount: count)
                .append(to: &result, at: UInt64(result.count), of: id)
        }
        result += payload
    }

    /// Puts a number at the end of its range into the place of one in JSON.
    private static func json(_ payload: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        let digits = payload.indices.filter { (0x30...0x39).contains(payload[$0]) }
        guard !digits.isEmpty else { return payload }
        let start = digits[random.below(digits.count)]
        let end = payload[start...].firstIndex { !(0x30...0x39).contains($0) } ?? payload.endIndex
        let numbers = [
            "18446744073709551615", "9223372036854775807", "-1", "0", "1e400", "99999999999999999999999", "\"x\"",
            "null",
        ]
        return Array(payload[..<start]) + Array(numbers[random.below(numbers.count)].utf8) + Array(payload[end...])
    }
}
