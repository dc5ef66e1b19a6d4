import EventModel

/// How objects of a class are called: a text with names of properties in braces, such as `{family}, {given}`.
///
/// A name with dots leads into an object inside the object, such as `{name.family}`, and a list is its first texts. What stands around a property that has no
/// value is left out where it would stand at an end or would be a pair of empty brackets.
public struct LabelTemplate: Sendable, Hashable {
    /// The most bytes of a template.
    private static let maximumBytes = 256
    /// The most properties of a template.
    private static let maximumProperties = 8
    /// The most names of a path.
    private static let maximumDepth = 8

    private enum Part: Hashable {
        case text(String)
        case property(Int)
    }

    /// The template as it was written.
    public let text: String
    private let parts: [Part]
    /// The paths of the properties, each once.
    let paths: [[ExactText]]

    /// Reads a template.
    ///
    /// - Throws: ``AuditServerError/rejected(reason:)`` with what is wrong.
    public init(_ text: String) throws(AuditServerError) {
        guard (1...Self.maximumBytes).contains(text.utf8.count) else {
            throw .rejected(reason: "a label has 1 to \(Self.maximumBytes) bytes")
        }
        var (parts, paths): ([Part], [[ExactText]]) = ([], [])
        var rest = text[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else {
                throw .rejected(reason: "each brace of a label has its partner, such as in '{family}, {given}'")
            }
            if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
            let path = try Self.path(rest[rest.index(after: brace)..<end])
            let known = paths.firstIndex(of: path)
            if known == nil { paths.append(path) }
            parts.append(.property(known ?? paths.count - 1))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        guard (1...Self.maximumProperties).contains(paths.count) else {
            throw .rejected(
                reason: "a label names 1 to \(Self.maximumProperties) properties in braces, such as '{family}, {given}'"
            )
        }
        self.text = text
        self.parts = parts
        self.paths = paths
    }

    private static func path(_ text: Substring) throws(AuditServerError) -> [ExactText] {
        let names = text.split(separator: ".", omittingEmptySubsequences: false)
        guard names.count <= maximumDepth, names.allSatisfy({ !$0.isEmpty && !$0.contains("{") }) else {
            throw .rejected(
                reason: "between the braces of a label is a property, such as '{family}' or '{name.family}'"
            )
        }
        return names.map { ExactText(String($0)) }
    }

    /// Returns the label of an object with these values, by the numbers of the paths; nil when none of them has a text.
    func label(_ values: [Int: String]) -> String? {
        var label = ""
        // What stands in front of a property that has no value goes with it, but for a bracket that something closes.
        var waiting = ""
        var hasValue = false
        for part in parts {
            switch part {
            case .text(let text): waiting = text
            case .property(let number):
                let value = LabelText.tidy(values[number] ?? "")
                if !value.isEmpty || waiting.contains(where: "()[]".contains) { label += waiting }
                waiting = ""
                hasValue = hasValue || !value.isEmpty
                label += value
            }
        }
        label += waiting
        return hasValue ? LabelText.whole(label) : nil
    }
}
