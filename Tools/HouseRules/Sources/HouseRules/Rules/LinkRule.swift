/// Every link of a page of Markdown leads to a file of the house, and its anchor to a heading there.
package struct LinkRule: Rule {
    /// The name that reports show.
    package let name: String = "links"

    /// Creates the rule.
    package init() {}

    /// Objects to links whose file or heading does not exist; addresses of the web are not asked.
    package func findings(in house: House) -> [Finding] {
        let pages = house.otherFiles.filter { $0.path.hasSuffix(".md") }.map(MarkdownFile.init)
        let anchors = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, $0.anchors) })
        return pages.flatMap { page in
            page.links.compactMap { link in
                objection(to: link.target, on: page.path, anchors: anchors, paths: house.paths)
                    .map { Finding(path: page.path, line: link.line, message: $0) }
            }
        }
    }

    private func objection(
        to target: String,
        on page: String,
        anchors: [String: Set<String>],
        paths: Set<String>
    ) -> String? {
        if target.contains(#/^[a-z]+:/#) { return nil }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let path = parts[0].isEmpty ? page : Self.resolve(parts[0], on: page)
        guard let path, paths.contains(path) else { return "Link to a file that exists; \(parts[0]) does not." }
        guard parts.count == 2 else { return nil }
        guard let headings = anchors[path] else { return "Link to \(path) as a whole; only pages have headings." }
        return headings.contains(parts[1]) ? nil : "Link to a heading of \(path); it has none for #\(parts[1])."
    }

    /// The path from the root of what a page links to; nil where it leaves the clone.
    private static func resolve(_ target: String, on page: String) -> String? {
        var parts = page.split(separator: "/").dropLast()
        for part in target.split(separator: "/", omittingEmptySubsequences: false) {
            switch part {
            case "", ".": continue
            case "..":
                guard parts.popLast() != nil else { return nil }
            default: parts.append(part)
            }
        }
        return target.hasPrefix("/") ? nil : parts.joined(separator: "/")
    }
}
