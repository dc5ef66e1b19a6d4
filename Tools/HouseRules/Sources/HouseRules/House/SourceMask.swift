/// Tells code, comments and texts of a Swift file apart, so that a rule never objects to words in a text.
///
/// Knows line and nested block comments, texts with any count of `#`, texts of several lines and interpolation. A regex
/// literal with a quotation mark in it would be misread; the house has none.
struct SourceMask {
    private enum Context {
        /// Ordinary code; inside an interpolation it ends with the parenthesis that brings the depth to zero.
        case code(depth: Int)
        case lineComment
        case blockComment(depth: Int)
        case text(hashes: Int, isMultiline: Bool)
    }

    private let bytes: [UInt8]
    private var code: [UInt8]
    private var comments: [UInt8]
    private var position = 0
    private var contexts: [Context] = [.code(depth: 0)]

    private init(_ text: String) {
        bytes = Array(text.utf8)
        let blank = bytes.map { $0 == Self.newline ? $0 : Self.space }
        code = blank
        comments = blank
    }

    /// Splits a file into lines.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    static func lines(of text: String) -> [SourceLine] {
        var mask = SourceMask(text)
        mask.run()
        return zip(mask.split(mask.bytes), zip(mask.split(mask.code), mask.split(mask.comments)))
            .map { text, parts in
                SourceLine(text: text, code: parts.0, comment: parts.1.drop { $0 == " " }.description)
            }
    }

    private func split(_ masked: [UInt8]) -> [String] {
        masked.split(separator: Self.newline, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func run() {
        while position < bytes.count, let context = contexts.last {
            switch context {
            case .code(let depth): readCode(depth: depth)
            case .lineComment: readLineComment()
            case .blockComment(let depth): readBlockComment(depth: depth)
            case .text(let hashes, let isMultiline): readText(hashes: hashes, isMultiline: isMultiline)
            }
        }
    }

    private mutating func readCode(depth: Int) {
        let byte = bytes[position]
        guard Self.meaningful.contains(byte) else { return keepAsCode(1) }
        if starts("//") {
            contexts.append(.lineComment)
        } else if starts("/*") {
            contexts.append(.blockComment(depth: 0))
        } else if let (hashes, length, isMultiline) = openingOfText() {
            keepAsCode(length)
            contexts.append(.text(hashes: hashes, isMultiline: isMultiline))
        } else {
            keepAsCode(1)
            if byte == UInt8(ascii: "(") {
                contexts[contexts.count - 1] = .code(depth: depth + 1)
            } else if byte == UInt8(ascii: ")"), contexts.count > 1 {
                if depth == 1 { contexts.removeLast() } else { contexts[contexts.count - 1] = .code(depth: depth - 1) }
            }
        }
    }

    private mutating func readLineComment() {
        if bytes[position] == Self.newline {
            contexts.removeLast()
            position += 1
        } else {
            keepAsComment(1)
        }
    }

    private mutating func readBlockComment(depth: Int) {
        if starts("/*") {
            contexts[contexts.count - 1] = .blockComment(depth: depth + 1)
            keepAsComment(2)
        } else if starts("*/") {
            keepAsComment(2)
            if depth == 1 {
                contexts.removeLast()
            } else {
                contexts[contexts.count - 1] = .blockComment(depth: depth - 1)
            }
        } else {
            keepAsComment(1)
        }
    }

    private mutating func readText(hashes: Int, isMultiline: Bool) {
        guard Self.meaningful.contains(bytes[position]) else {
            position += 1
            return
        }
        let fence = String(repeating: "#", count: hashes)
        let quote = isMultiline ? "\"\"\"" : "\""
        if starts("\\" + fence + "(") {
            position += 1 + hashes
            keepAsCode(1)
            contexts.append(.code(depth: 1))
        } else if starts("\\" + fence) {
            position += 2 + hashes
        } else if starts(quote + fence) {
            keepAsCode(quote.utf8.count + hashes)
            contexts.removeLast()
        } else if !isMultiline, bytes[position] == Self.newline {
            contexts.removeLast()
        } else {
            position += 1
        }
    }

    /// The `#` signs and quotation marks that open a text at the current position.
    private func openingOfText() -> (hashes: Int, length: Int, isMultiline: Bool)? {
        var end = position
        while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
        let hashes = end - position
        if starts("\"\"\"", at: end) { return (hashes, hashes + 3, true) }
        if starts("\"", at: end) { return (hashes, hashes + 1, false) }
        return nil
    }

    private func starts(_ text: String, at place: Int? = nil) -> Bool {
        bytes[(place ?? position)...].starts(with: text.utf8)
    }

    private mutating func keepAsCode(_ count: Int) {
        for index in position..<min(position + count, bytes.count) { code[index] = bytes[index] }
        position += count
    }

    private mutating func keepAsComment(_ count: Int) {
        for index in position..<min(position + count, bytes.count) { comments[index] = bytes[index] }
        position += count
    }

    /// The bytes that may begin something else than what they stand in; all others are passed over quickly.
    private static let meaningful: [UInt8] = Array("/\"#()\\\n".utf8)
    private static let newline = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")
}
