/// A text file and its place in the house.
package struct SourceFile: Sendable {
    /// What a file is for, by the folder that it lies in.
    package enum Role: Sendable, Hashable {
        /// A file of a target in `Sources`.
        case source
        /// A file of a target in `Tests`.
        case test
        /// Anything else.
        case other
    }

    /// The path from the root of the clone.
    package let path: String
    /// What the file is for.
    package let role: Role
    /// The folder of the package from the root of the clone; empty when the file belongs to none.
    package let package: String
    /// The target, or an empty text when the file belongs to none.
    package let target: String
    /// The lines.
    package let lines: [SourceLine]

    /// Creates a file from its contents.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    package init(path: String, text: String) {
        self.path = path
        let parts = path.split(separator: "/").map(String.init)
        let roles: [String: Role] = ["Sources": .source, "Tests": .test]
        if let place = parts.firstIndex(where: { roles[$0] != nil }), place + 2 < parts.count {
            role = roles[parts[place]] ?? .other
            package = parts[..<place].joined(separator: "/")
            target = parts[place + 1]
        } else {
            role = .other
            package = ""
            target = ""
        }
        lines = path.hasSuffix(".swift") ? SourceMask.lines(of: text) : SourceLine.plain(text)
    }

    /// Whether the file is written in Swift.
    package var isSwift: Bool { path.hasSuffix(".swift") }

    /// The findings for each line that a closure has an objection to.
    package func findings(where objection: (SourceLine) -> String?) -> [Finding] {
        lines.enumerated()
            .compactMap { index, line in
                objection(line).map { Finding(path: path, line: index + 1, message: $0) }
            }
    }

    /// Looks for a comment with a marker on a line or in the comment lines right above it.
    ///
    /// - Parameters:
    ///   - marker: The text to look for, such as `SAFETY:`.
    ///   - index: The position of the line, counted from 0.
    ///   - reach: How many lines before and after are looked at even when code lies between.
    /// - Returns: Whether there is one.
    package func hasComment(_ marker: String, at index: Int, reach: Int = 0) -> Bool {
        let near = max(0, index - reach)...min(lines.count - 1, index + reach)
        if lines[near].contains(where: { $0.comment.contains(marker) }) { return true }
        var above = index - 1
        while above >= 0, lines[above].isCommentOnly {
            if lines[above].comment.contains(marker) { return true }
            above -= 1
        }
        return false
    }
}
