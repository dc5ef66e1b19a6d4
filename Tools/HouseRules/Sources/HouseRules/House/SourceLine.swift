import Foundation

/// One line of a file, split into what the compiler reads and what people read.
package struct SourceLine: Sendable {
    /// The whole line.
    package let text: String
    /// The line with comments and the contents of texts blanked out.
    package let code: String
    /// The comments of the line alone.
    package let comment: String

    /// Creates a line.
    package init(text: String, code: String, comment: String) {
        self.text = text
        self.code = code
        self.comment = comment
    }

    /// Whether the line has a comment and no code.
    package var isCommentOnly: Bool {
        !comment.isEmpty && code.allSatisfy(\.isWhitespace)
    }

    /// Whether the code has a word or phrase that is not a part of a longer word.
    package func says(_ phrase: String) -> Bool {
        var rest = code[...]
        while let match = rest.range(of: phrase) {
            let before = code[..<match.lowerBound].last
            let after = code[match.upperBound...].first
            let startsClean = phrase.first?.isWordPart != true || before?.isWordPart != true
            let endsClean = phrase.last?.isWordPart != true || after?.isWordPart != true
            if startsClean, endsClean { return true }
            rest = code[match.upperBound...]
        }
        return false
    }

    /// Splits a text that has no syntax known here: every line is all code.
    static func plain(_ text: String) -> [SourceLine] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { SourceLine(text: String($0), code: String($0), comment: "") }
    }
}

extension Character {
    /// Whether the character can stand inside an identifier.
    fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
