import EventModel

/// What may stand in a note and where its lines end.
enum NoteText {
    static let newline = UInt8(ascii: "\n")

    /// Returns whether a text has no ASCII control character except newlines.
    static func isPlain(_ text: some Sequence<UInt8>) -> Bool {
        text.allSatisfy { $0 >= 0x20 || $0 == newline }
    }

    /// Returns whether a text can be the name of a key: it is not empty, and has no space, plus or control character.
    static func isKeyName(_ name: ExactText) -> Bool {
        !name.string.isEmpty
            && name.string.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && $0 != "+" && !$0.properties.isWhitespace
            }
    }

    /// Returns whether a text can be a line of a checkpoint: it is not empty, and has no control character.
    static func isLine(_ line: ExactText) -> Bool {
        !line.string.isEmpty && line.string.utf8.allSatisfy { $0 >= 0x20 }
    }

    /// Takes the next line off a text, and returns it without its newline; nil when there is no whole one.
    static func nextLine(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: newline) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }

    /// Returns what stands behind a word in a line; nil when the line begins with something else.
    static func value(of word: String, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        line.starts(with: word.utf8) ? line.dropFirst(word.utf8.count) : nil
    }

    /// Splits a text into its lines; nil when it does not end with a newline.
    static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>]? {
        guard text.last == newline else { return nil }
        return text.dropLast().split(separator: newline, omittingEmptySubsequences: false)
    }
}
