public import EventModel

/// Where the realm of an event was in sync, as lines of JSON have it.
///
/// ```json
/// {"change":12,"changes":1,"file":3,"history":"…","position":345}
/// ```
///
/// ``file`` and ``history`` are missing until the server has named the file, ``changes`` with a read.
public struct EventPlace: Sendable, Hashable, Codable {
    /// The name of the realm's history on the server: 32 hexadecimal digits.
    public let history: String?
    /// The number of the file in the realm.
    public let file: UInt32?
    /// The number of the last of the server's entries that were in the file.
    public let position: Int
    /// The number of the last change of the file itself that was in it.
    public let change: Int
    /// How many changes, up to ``change``, a write became.
    public let changes: Int?

    /// Describes a place.
    public init(_ reference: SyncReference) {
        history = reference.file.map { Hexadecimal.text($0.history) }
        file = reference.file?.number
        position = reference.position
        change = reference.change
        changes = reference.changeCount == 0 ? nil : reference.changeCount
    }

    /// The place for people, such as `became change 12 of file 3; entries up to 345 were known`.
    package var text: String {
        let owner = file.map { "of file \($0)" } ?? "of a file without a number"
        let known = position == 0 ? "no entry was known" : "entries up to \(position) were known"
        if let changes {
            let made = changes == 1 ? "change \(change)" : "changes \(change - changes + 1) to \(change)"
            return "became \(made) \(owner); \(known)"
        }
        return change == 0 ? known : "\(known), and changes up to \(change) \(owner)"
    }
}
