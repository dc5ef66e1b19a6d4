import AuditModel
import EventModel

/// What an object was called, as a term of the index: the class, the key, the app and the label with zero bytes between them.
///
/// So all names of one object are neighbours, and a name that no event has any more is forgotten with its term.
struct LabelTerm {
    /// The most bytes before the label, so that it has room in a term.
    private static let maximumPrefix = 160

    let objectClass: String
    let key: String
    let app: String
    let label: String

    /// Takes a term apart; nil when it has another form.
    init?(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 4 else { return nil }
        (objectClass, key, app, label) = (parts[0], parts[1], parts[2], parts[3])
    }

    /// Returns the text of the term; nil when the class and the key leave no room, or have a zero byte in them.
    static func text(of label: ObjectLabel, app: String) -> String? {
        let (objectClass, key) = (label.objectClass.string, label.key.string)
        guard !objectClass.utf8.contains(0), !key.utf8.contains(0) else { return nil }
        let prefix = "\(objectClass)\u{0}\(key)\u{0}\(app)\u{0}"
        guard prefix.utf8.count <= maximumPrefix else { return nil }
        var text = label.text.string
        // A term is cut by bytes, which may be within a letter.
        while prefix.utf8.count + text.utf8.count > SearchTerm.maximumBytes { text.unicodeScalars.removeLast() }
        return prefix + text
    }

    /// The beginning that all names of an object have.
    static func beginning(of objectClass: String, _ key: String) -> [UInt8] {
        Array("\(objectClass)\u{0}\(key)\u{0}".utf8)
    }
}
