#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The content of the frames that hold no events.
enum FrameJSON {
    /// Writes a value, always in the same way.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Array(try encoder.encode(value))
    }

    /// Reads a value; nil when the content is something else.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
        // The checksum was right, so the reason could only be a faulty writer; the caller reports the frame as damaged.
        try? JSONDecoder().decode(type, from: Data(bytes))
    }
}
