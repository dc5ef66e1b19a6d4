import Foundation
import RealmWindow

/// A value as pages get it: of which kind it is, and the text or the values of it that are shown.
struct BrowsedValue: Encodable, Equatable, Sendable {
    /// A name with its value.
    struct Entry: Encodable, Equatable, Sendable {
        let name: String
        let value: BrowsedValue
    }

    var kind: String
    /// What is shown; of data, hexadecimal digits.
    var text: String?
    /// The length of the whole, where only its beginning is here.
    var whole: Int?
    /// The class of the object that a link leads to.
    var className: String?
    /// The number of that object's row, as text: scripts have no integers of 64 bits.
    var row: String?
    /// The elements of a list or a set.
    var items: [BrowsedValue]?
    /// The entries of a map, or the properties of an embedded object.
    var entries: [Entry]?

    private init(kind: String, text: String? = nil) {
        self.kind = kind
        self.text = text
    }

    init(_ value: WindowValue) {
        switch value {
        case .null: self.init(kind: "none")
        case .bool(let value): self.init(kind: "bool", text: "\(value)")
        case .int, .float, .double, .decimal: self.init(kind: "number", text: value.text)
        case .text(let value): self.init(kind: "text", text: value)
        case .data(let value): self.init(kind: "data", text: Self.digits(value))
        case .date(let value): self.init(kind: "date", text: WindowValue.date(value).text)
        case .objectId, .uuid: self.init(kind: "id", text: value.text)
        case .link(let link):
            self.init(kind: "link", text: ShownKey(link).text)
            className = link.className
            row = "\(link.row)"
        case .list(let values):
            self.init(kind: "list")
            items = values.map(BrowsedValue.init)
        case .map(let values):
            self.init(kind: "map")
            entries = values.map { Entry(name: $0.name, value: BrowsedValue($0.value)) }
        case .object(let values):
            self.init(kind: "object")
            entries = values.map { Entry(name: $0.name, value: BrowsedValue($0.value)) }
        case .cut(let beginning, let count):
            self.init(beginning)
            whole = count
        }
    }

    /// How many bytes are shown as digits.
    private static let shownBytes = 64

    private static func digits(_ data: Data) -> String {
        data.prefix(shownBytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            + (data.count > shownBytes ? "…" : "")
    }
}

/// The primary key of an object, if an address has room for it.
struct ShownKey {
    /// How many bytes a key of an address has at most.
    private static let longest = 300

    /// The key; nil when there is none, or it is too long or empty.
    let text: String?

    init(_ link: WindowLink) {
        guard let key = link.key, key != .null else {
            text = nil
            return
        }
        let written = key.text
        text = written.isEmpty || written.utf8.count > Self.longest ? nil : written
    }
}
