import Foundation

/// What the rules need to know of a page of Markdown: its links and the anchors that others can link to.
package struct MarkdownFile: Sendable {
    /// A link or picture.
    package struct Link: Sendable, Hashable {
        /// Where it leads, as written: a path, `#anchor`, both, or an address.
        package let target: String
        /// The line, counted from 1.
        package let line: Int
    }

    /// The path from the root of the clone.
    package let path: String
    /// The links and pictures, in order; what stands in code is none.
    package let links: [Link]
    /// The anchors of the headings, as GitHub makes them.
    package let anchors: Set<String>

    /// Reads a page.
    ///
    /// - Complexity: O(*n*) in the length of the page.
    package init(_ file: SourceFile) {
        path = file.path
        var links: [Link] = []
        var counts: [String: Int] = [:]
        var anchors: Set<String> = []
        var isCode = false
        for (index, line) in file.lines.enumerated() {
            if line.text.drop(while: \.isWhitespace).hasPrefix("```") { isCode.toggle() }
            guard !isCode else { continue }
            if let heading = Self.heading(line.text) {
                let anchor = Self.anchor(of: heading)
                let count = counts[anchor, default: 0]
                counts[anchor] = count + 1
                anchors.insert(count == 0 ? anchor : "\(anchor)-\(count)")
            }
            links += Self.targets(in: line.text).map { Link(target: $0, line: index + 1) }
        }
        self.links = links
        self.anchors = anchors
    }

    /// The words of a heading, or nil for any other line.
    private static func heading(_ text: String) -> String? {
        let marks = text.prefix { $0 == "#" }
        let rest = text.dropFirst(marks.count)
        guard (1...6).contains(marks.count), rest.first == " " else { return nil }
        return rest.trimmingCharacters(in: .whitespaces)
    }

    /// The anchor that GitHub gives to a heading: small letters, digits, `-` and `_`, with `-` for each space.
    private static func anchor(of heading: String) -> String {
        String(
            heading.lowercased()
                .compactMap { character -> Character? in
                    if character == " " { return "-" }
                    return character.isLetter || character.isNumber || character == "-" || character == "_"
                        ? character : nil
                }
        )
    }

    /// Where the links of a line lead; those between backticks are left out.
    private static func targets(in text: String) -> [String] {
        let plain = text.replacing(#/`[^`]*`/#, with: "`")
        let inline = plain.matches(of: #/\]\(([^)\s]*)[^)]*\)/#).map { String($0.output.1) }
        let defined = plain.matches(of: #/^\[[^\]]+\]:\s+(\S+)/#).map { String($0.output.1) }
        return inline + defined
    }
}
