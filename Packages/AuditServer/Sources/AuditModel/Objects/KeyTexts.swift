package import EventModel

/// Texts of a payload that may be keys of objects, as links are written.
package enum KeyTexts {
    /// The most texts of one payload.
    package static let maximumCount = 400
    /// The most bytes of a key that leads anywhere.
    private static let maximumBytes = 64

    /// Returns the short texts in the payload of a read or a write, each once.
    ///
    /// - Complexity: O(*n*) in the bytes of the payload.
    package static func all(in event: AuditEvent) -> [String] {
        guard let data = event.data, event.event == "read" || event.event == "write" else { return [] }
        return all(inJSON: data).sorted().map(\.string)
    }

    /// Returns the short texts of JSON.
    package static func all(inJSON bytes: [UInt8]) -> Set<ExactText> {
        bytes.withUnsafeBufferPointer { bytes in
            var json = JSONBytes(bytes)
            var found = Set<ExactText>()
            do throws(JSONBytes.Malformed) {
                try visit(&json, &found, depth: 0)
            } catch {
                // A payload may be any text; what is no JSON has no further links.
            }
            return found
        }
    }

    private static func visit(
        _ json: inout JSONBytes,
        _ found: inout Set<ExactText>,
        depth: Int
    ) throws(JSONBytes.Malformed) {
        guard depth < JSONBytes.maximumDepth, found.count < maximumCount else { return try json.skip() }
        switch json.peek() {
        case 0x7B:
            try json.object { json, _ throws(JSONBytes.Malformed) in try visit(&json, &found, depth: depth + 1) }
        case 0x5B:
            try json.array { json throws(JSONBytes.Malformed) in try visit(&json, &found, depth: depth + 1) }
        case 0x22:
            let text = try json.string()
            if 1...maximumBytes ~= text.utf8.count { found.insert(ExactText(text)) }
        default: try json.skip()
        }
    }
}
