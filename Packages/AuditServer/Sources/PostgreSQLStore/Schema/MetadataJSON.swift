import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The metadata of an event as `jsonb`: an object of strings, each in the form of ``SQLText``.
enum MetadataJSON {
    /// The version that stands in front of the text in the binary form of `jsonb`.
    private static let version: UInt8 = 1

    /// Returns the value of the column; NULL for no metadata.
    static func value(_ metadata: EventMetadata) -> SQLValue {
        guard !metadata.entries.isEmpty else { return .null }
        var json: [UInt8] = [version, UInt8(ascii: "{")]
        for (index, entry) in metadata.entries.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            append(SQLText.stored(entry.key), to: &json)
            json.append(UInt8(ascii: ":"))
            append(SQLText.stored(entry.value), to: &json)
        }
        json.append(UInt8(ascii: "}"))
        return .bytes(json)
    }

    /// Reads the value of a column; nil for one that no upload can have put there.
    static func metadata(_ rows: SQLRows, _ row: Int, _ column: Int) -> EventMetadata? {
        if rows.isNull(row, column) { return .empty }
        guard let bytes = rows.bytes(row, column), bytes.first == version else { return nil }
        do {
            // TEXT: no event has two keys that Unicode takes for one, see EventUpload.
            let stored = try JSONDecoder().decode([String: String].self, from: Data(bytes.dropFirst()))
            // TEXT: as above.
            var values: [String: String] = [:]
            for (key, value) in stored {
                guard let key = original(key), let value = original(value),
                    values.updateValue(value, forKey: key) == nil
                else { return nil }
            }
            return try EventMetadata(values)
        } catch {
            // Whatever is wrong with it, it was changed behind the server's back.
            return nil
        }
    }

    private static func original(_ stored: String) -> String? {
        SQLText.original(Array(stored.utf8)).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func append(_ text: [UInt8], to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                json += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                json += Array("\\u00".utf8) + [Hexadecimal.digit(byte >> 4), Hexadecimal.digit(byte & 15)]
            default:
                json.append(byte)
            }
        }
        json.append(UInt8(ascii: "\""))
    }
}
