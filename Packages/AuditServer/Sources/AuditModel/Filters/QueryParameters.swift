package import EventModel

/// The parameters of an address's query, in their order: names as they stand, values decoded.
package struct QueryParameters: Sendable {
    /// All of them.
    package let all: [(name: Substring, value: String)]

    /// Takes over parameters whose values are decoded.
    package init(_ all: [(name: Substring, value: String)]) {
        self.all = all
    }

    /// Splits a query, percent-encoded; a value that is encoded wrongly stays as it stands.
    package init(query: String) {
        all = query.split(separator: "&")
            .map { part in
                let name = part.prefix { $0 != "=" }
                let value = part.dropFirst(name.count + 1)
                return (name, Self.decoded(value) ?? String(value))
            }
    }

    /// The first value of a name; nil when it is missing.
    package subscript(_ name: String) -> String? { all.first { $0.name == name }?.value }

    /// Reads an instant.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` when it is not in ISO 8601, in UTC.
    package func instant(_ name: String) throws(AuditServerError) -> EventInstant? {
        guard let text = self[name] else { return nil }
        guard let instant = EventInstant(text) else {
            throw .rejected(reason: "'\(name)' is a time such as 2026-01-31T08:30:00Z")
        }
        return instant
    }

    /// Decodes percent-encoding; nil when it is malformed, or no UTF-8.
    package static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let pair = Hexadecimal.bytes(String(rest.prefix(2)) ?? ""), let value = pair.first else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
