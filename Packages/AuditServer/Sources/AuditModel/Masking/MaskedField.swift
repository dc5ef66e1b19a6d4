/// A part of an app's events that auditors do not see: a property, a metadata column, or a part of a custom event.
///
/// | form | what is masked |
/// |---|---|
/// | `Patient.ssn` | the property of objects of the class, in reads and in old and new values of writes |
/// | `Patient.address.street` | the same of an object inside an object; lists are passed through |
/// | `Patient.*` | every property but `_id` and `id` |
/// | `metadata:userId` | the column |
/// | `event:login/user.name` | what lies at the path in the payload of custom events of the type |
/// | `activity:Sign in/*` | the whole payload of custom events with the activity |
///
/// An object inside another one does not say its class, so that there the fields of every class count.
public struct MaskedField: Sendable, Hashable {
    package enum Place: Hashable, Sendable {
        case object(className: String)
        case column(String)
        case event(type: String)
        case activity(String)
    }

    /// What stands for everything at a path.
    package static let everything = "*"
    /// The names of primary keys, which auditors find objects by.
    package static let keys: Set<String> = ["_id", "id"]  // TEXT: names of ours, in ASCII.

    /// The field as it was written.
    public let text: String
    package let place: Place
    /// The names from the outermost to the innermost; empty for a column.
    package let path: [String]

    /// Reads a field.
    ///
    /// - Throws: ``AuditServerError/rejected(reason:)`` with what is wrong, for a text that has none of the forms.
    public init(_ text: String) throws(AuditServerError) {
        guard (1...512).contains(text.utf8.count) else {
            throw .rejected(reason: "a masked field has 1 to 512 bytes")
        }
        self.text = text
        if let name = Self.rest(of: text, behind: "metadata:") {
            guard !name.isEmpty else { throw .rejected(reason: "'metadata:' is followed by the name of a column") }
            (place, path) = (.column(name), [])
            return
        }
        if let rest = Self.rest(of: text, behind: "event:") {
            let (type, path) = try Self.split(rest)
            guard type != "read", type != "write" else {
                throw .rejected(reason: "of reads and writes, properties of classes are masked, such as 'Patient.ssn'")
            }
            (place, self.path) = (.event(type: type), path)
            return
        }
        if let rest = Self.rest(of: text, behind: "activity:") {
            let (name, path) = try Self.split(rest)
            (place, self.path) = (.activity(name), path)
            return
        }
        let names = try Self.names(in: text)
        guard names.count > 1, names[0] != Self.everything else {
            throw .rejected(reason: "a masked property is a class, a dot and a name, such as 'Patient.ssn'")
        }
        guard Self.keys.isDisjoint(with: names) else {
            throw .rejected(reason: "a primary key cannot be masked: objects are found by it")
        }
        (place, path) = (.object(className: names[0]), Array(names.dropFirst()))
    }

    private static func rest(of text: String, behind prefix: String) -> String? {
        text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }

    /// Splits at the last slash, as an activity may have others.
    private static func split(_ text: String) throws(AuditServerError) -> (name: String, path: [String]) {
        guard let slash = text.lastIndex(of: "/"), slash > text.startIndex else {
            throw .rejected(reason: "a slash and a path follow, such as 'event:login/user.name' or 'event:login/*'")
        }
        return (String(text[..<slash]), try names(in: String(text[text.index(after: slash)...])))
    }

    private static func names(in text: String) throws(AuditServerError) -> [String] {
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy({ !$0.isEmpty }), !names.dropLast().contains(everything) else {
            throw .rejected(reason: "names of a path have dots between them, and '*' is the last one")
        }
        return names
    }
}
