import Foundation

// The form of JSON in which values leave a file and come back: what JSON does not have is an object with one member that names the type.
extension WindowValue {
    /// The value as JSON on one line.
    public var json: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .int(let value): text += "\(value)"
        case .double(let value) where value.isFinite: text += "\(value)"
        case .double(let value): Self.tag("$double", .text("\(value)"), in: &text)
        case .float(let value): Self.tag("$float", .text("\(value)"), in: &text)
        case .decimal(let value): Self.tag("$decimal", .text(value), in: &text)
        case .text(let value): text += value.jsonText
        case .data(let value): Self.tag("$data", .text(value.base64EncodedString()), in: &text)
        // The store's own number: a text with so many digits of a second would not come back as the same instant.
        case .date(let value): Self.tag("$date", .double(value.timeIntervalSinceReferenceDate), in: &text)
        case .objectId(let value): Self.tag("$oid", .text(value), in: &text)
        case .uuid(let value): Self.tag("$uuid", .text(value.uuidString), in: &text)
        case .link(let link):
            Self.tag("$link", .list([.text(link.className), link.key ?? .int(Int(link.row))]), in: &text)
        case .list(let values): Self.write(values, "[", "]", to: &text) { $0.write(to: &$1) }
        case .map(let entries): Self.tag("$map", .object(entries), in: &text)
        case .cut(let beginning, let count): Self.tag("$cut", .list([beginning, .int(count)]), in: &text)
        case .object(let entries):
            Self.write(entries, "{", "}", to: &text) { entry, text in
                text += entry.name.jsonText + ":"
                entry.value.write(to: &text)
            }
        }
    }

    private static func write<Item>(
        _ items: [Item],
        _ open: String,
        _ close: String,
        to text: inout String,
        _ one: (Item, inout String) -> Void
    ) {
        text += open
        for (index, item) in items.enumerated() {
            if index > 0 { text += "," }
            one(item, &text)
        }
        text += close
    }

    private static func tag(_ name: String, _ value: WindowValue, in text: inout String) {
        WindowValue.object([Entry(name, value)]).write(to: &text)
    }
}

extension WindowObject {
    /// The object as a line of an export: its class, the number of its row if nothing else names it, and its values.
    public var line: String {
        var entries = [WindowValue.Entry("class", .text(link.className))]
        if link.key == nil { entries.append(WindowValue.Entry("row", .int(Int(link.row)))) }
        entries.append(WindowValue.Entry("object", .object(values)))
        return WindowValue.object(entries).json + "\n"
    }
}

extension String {
    /// The text as JSON.
    fileprivate var jsonText: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<"\u{20}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
