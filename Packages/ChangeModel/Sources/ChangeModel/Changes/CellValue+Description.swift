import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PrimaryKey: CustomStringConvertible {
    /// The value alone, for people; a text that looks like a number cannot be told from one.
    public var description: String {
        switch self {
        case .null: "null"
        case .int(let number): "\(number)"
        case .string(let text): "\(text)"
        case .objectId(let id): "\(id)"
        case .uuid(let id): id.uuidString.lowercased()
        }
    }
}

extension CellValue: CustomStringConvertible {
    /// The value for people: texts in quotation marks, instants in UTC, of bytes only how many there are.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .int(let number): "\(number)"
        case .float(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): "\"\(text)\""
        case .data(let bytes): bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
        case .date(let seconds): Self.text(ofDate: seconds)
        case .objectId(let id): "\(id)"
        case .uuid(let id): id.uuidString.lowercased()
        case .decimal128(let number): "\(number)"
        case .link(let target), .anyLink(let target): "\(target)"
        case .life(let life): "\(life.kind) \(life.id)"
        }
    }

    /// An instant, given in seconds since 2001; far from our time the seconds themselves.
    private static func text(ofDate seconds: Double) -> String {
        guard abs(seconds) < 1e11 else { return "\(seconds) s after 2001-01-01" }
        return EventInstant(microseconds: Int64(((seconds + 978_307_200) * 1_000_000).rounded())).description
    }
}
