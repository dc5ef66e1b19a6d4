import Foundation

extension WindowValue {
    /// The value in words for people, on one line.
    public var text: String {
        switch self {
        case .null: "-"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value), .text(let value), .objectId(let value): value
        case .data(let value): "\(value.count) bytes"
        case .date(let value): value.formatted(Self.instant)
        case .uuid(let value): value.uuidString
        case .link(let link): "\(link.className) \(link.key?.text ?? "#\(link.row)")"
        case .list(let values): "[\(values.map(\.text).joined(separator: ", "))]"
        case .map(let entries), .object(let entries):
            "{\(entries.map { "\($0.name): \($0.value.text)" }.joined(separator: ", "))}"
        case .cut(.data, let count): "\(count) bytes"
        case .cut(let beginning, let count): "\(beginning.text)… (\(count))"
        }
    }

    /// Milliseconds, in UTC.
    private static var instant: Date.ISO8601FormatStyle { Date.ISO8601FormatStyle(includingFractionalSeconds: true) }
}
