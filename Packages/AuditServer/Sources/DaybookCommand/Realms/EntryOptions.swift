import ArgumentParser
import AuditArchives
import ChangeModel
import EventModel
import SQLiteStore
import SyncServer

/// Which entries of realms a command shows.
struct EntryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only the realm of this history, which an event names: 32 hexadecimal digits.",
            valueName: "digits"
        )
    )
    var history: String?

    @Option(help: "Only what this file wrote, by its number in the realm.")
    var file: UInt32?

    @Option(help: "Only what became of this change of the file.")
    var change: Int?

    @Option(help: "Only what this user wrote.")
    var user: String?

    @Option(
        help: ArgumentHelp("Only what was written to this object, such as Patient/7.", valueName: "class/key")
    )
    var object: String?

    @Option(help: "From this entry on; the first one by default.")
    var from: Int?

    @Option(help: "Up to this entry, such as the position of an event; the newest one by default.")
    var until: Int?

    @Option(help: "How many entries at most; all by default.")
    var limit: Int?

    func validate() throws {
        for (name, number) in [("change", change), ("from", from), ("until", until), ("limit", limit)] {
            if let number, number < 1 { throw ValidationError("--\(name) needs a number from 1 on.") }
        }
        if change != nil, file == nil { throw ValidationError("--change needs --file, whose change it is.") }
        if let history, Hexadecimal.bytes(history)?.count != HistoryID.byteCount {
            throw ValidationError("--history needs \(2 * HistoryID.byteCount) hexadecimal digits.")
        }
        if let object, !object.contains("/") {
            throw ValidationError("--object needs a class and a key, such as Patient/7.")
        }
    }

    /// Whether a realm has the history that is meant.
    func isMeant(_ status: RealmStatus) -> Bool {
        history.map { Hexadecimal.bytes($0) == status.history } ?? true
    }

    /// The numbers of the entries of a realm among which those are that are meant; empty where there can be none.
    func numbers(of realm: RealmName, _ status: RealmStatus, in store: SQLiteChangeStore) async throws -> Range<Int> {
        var (first, last) = (max(from ?? 1, status.floor + 1), min(until ?? .max, status.head))
        if let file, let change {
            guard let number = try await store.entry(of: ChangeReference(file: file, number: change), in: realm) else {
                return 0..<0
            }
            (first, last) = (max(first, number), min(last, number))
        }
        return first <= last ? first..<last + 1 : 0..<0
    }

    /// Whether what is meant may be among the entries of a realm that are gone.
    func misses(_ status: RealmStatus, _ numbers: Range<Int>) -> Bool {
        guard status.floor > 0 else { return false }
        return change == nil ? (from ?? 1) <= status.floor : numbers.isEmpty
    }

    /// Returns what is shown of an entry; nil for one that is not meant.
    func shown(_ entry: Entry, by author: ExactText) -> ShownEntry? {
        if let file, entry.change.file != file { return nil }
        if let user, author != ExactText(user) { return nil }
        guard let object = object.map({ ExactText($0) }) else {
            return ShownEntry(entry, author, literals: entry.literals)
        }
        let literals = entry.literals.filter { ExactText("\($0.object)") == object }
        return literals.isEmpty ? nil : ShownEntry(entry, author, literals: literals)
    }
}
