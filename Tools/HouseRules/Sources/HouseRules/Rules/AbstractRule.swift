/// A documentation comment opens with one short sentence that stands alone.
package struct AbstractRule: FileRule {
    /// The name that reports show.
    package let name: String = "abstract"
    /// The largest count of characters of the first paragraph.
    package let limit: Int

    /// Creates the rule.
    package init(limit: Int = 150) {
        self.limit = limit
    }

    /// Objects to a first paragraph that is too long or does not end with a period.
    package func findings(in file: SourceFile) -> [Finding] {
        var findings: [Finding] = []
        var index = 0
        while index < file.lines.count {
            guard file.lines[index].isDocumentation else {
                index += 1
                continue
            }
            let start = index
            while index < file.lines.count, file.lines[index].isDocumentation { index += 1 }
            let paragraph = file.lines[start..<index].map(\.documentation).prefix { !$0.isEmpty }.joined(separator: " ")
            if paragraph.count > limit {
                let message = "The first paragraph has \(paragraph.count) characters; \(limit) is the limit."
                findings.append(Finding(path: file.path, line: start + 1, message: message))
            } else if !paragraph.hasSuffix(".") {
                let message = "The first paragraph must be a sentence that ends with a period."
                findings.append(Finding(path: file.path, line: start + 1, message: message))
            }
        }
        return findings
    }
}

extension SourceLine {
    /// Whether the line is a part of a documentation comment.
    fileprivate var isDocumentation: Bool { isCommentOnly && comment.hasPrefix("///") }

    /// The text of a documentation comment without its slashes.
    fileprivate var documentation: String {
        String(comment.dropFirst(3).drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
