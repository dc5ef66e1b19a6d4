import AuditModel
import GRDB

/// The words of labels in the index, by which a name is found from the beginnings of its words.
struct LabelWords {
    private let word: PreparedStatement

    init(in database: Database) throws {
        word = try PreparedStatement("INSERT OR IGNORE INTO Word (form, term) VALUES (?, ?)", in: database)
    }

    /// Enters the words of a new term.
    func enter(_ term: SearchTerm, _ id: Int64) throws {
        guard let label = LabelTerm(term.bytes)?.label else { return }
        for form in FoldedWord.all(in: label).flatMap(\.forms) {
            word.reset()
            try Array(form.utf8).withUnsafeBytes { try word.bind(blob: $0, at: 1) }
            try word.bind(id, at: 2)
            _ = try word.step()
        }
        word.reset()
    }

    /// Returns the terms of labels that have this very word, up to a number.
    static func terms(having word: FoldedWord, atMost limit: Int, in database: Database) throws -> Set<Int64> {
        let statement = try PreparedStatement("SELECT term FROM Word WHERE form = ? LIMIT ?", in: database)
        defer { statement.reset() }
        var found: Set<Int64> = []
        for form in word.forms {
            statement.reset()
            try Array(form.utf8).withUnsafeBytes { try statement.bind(blob: $0, at: 1) }
            try statement.bind(Int64(limit), at: 2)
            while try statement.step() { if let term = statement.integer(0) { found.insert(term) } }
        }
        return found
    }

    /// Returns the terms of labels of which a word begins as this one does, up to a number; each once.
    static func terms(of word: FoldedWord, atMost limit: Int, in database: Database) throws -> Set<Int64> {
        let statement = try PreparedStatement(
            "SELECT term FROM Word WHERE form >= ? AND form < ? LIMIT ?",
            in: database
        )
        defer { statement.reset() }
        var found: Set<Int64> = []
        for form in word.forms {
            statement.reset()
            let bytes = Array(form.utf8)
            try bytes.withUnsafeBytes { try statement.bind(blob: $0, at: 1) }
            // Greater than every text that begins so: no byte of UTF-8 is 255.
            try (bytes + [255]).withUnsafeBytes { try statement.bind(blob: $0, at: 2) }
            try statement.bind(Int64(limit), at: 3)
            while try statement.step() { if let term = statement.integer(0) { found.insert(term) } }
        }
        return found
    }
}
