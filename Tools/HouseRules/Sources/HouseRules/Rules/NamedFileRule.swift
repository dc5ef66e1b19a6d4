/// A file of the house that a text names exists: in comments, scripts and pages, and above all on the map of the house.
package struct NamedFileRule: Rule {
    /// The name that reports show.
    package let name: String = "named-files"
    /// The page on which every name of a file has to be one of the house.
    package let map: String

    /// Creates the rule.
    package init(map: String = "Packages/ARCHITECTURE.md") {
        self.map = map
    }

    /// Objects to names that no file has, and on the map to names that several have.
    package func findings(in house: House) -> [Finding] {
        let names = FileNames(house.paths)
        return house.swiftFiles.flatMap { file in
            file.findings { line in Self.pages(in: line.comment).firstNonNil { names.objection(toAny: $0) } }
        }
            + house.otherFiles.flatMap { file in
                file.findings { line in
                    if file.path == map {
                        return Self.files(in: line.text).firstNonNil { names.objection(toOne: $0) }
                    }
                    return Self.pages(in: line.text).firstNonNil { names.objection(toAny: $0) }
                }
            }
    }

    /// The pages of Markdown that a text names, and what it says lies in a top folder.
    private static func pages(in text: String) -> [String] {
        guard text.contains(".md") || text.contains("Packages/") || text.contains("Integration/") else { return [] }
        return names(in: text, #/(?:[A-Za-z0-9_+.\/-]*\/)?[A-Za-z0-9_+-]+\.md\b/#)
            + names(in: text, #/(?:Packages|Integration)\/[A-Za-z0-9_+.\/-]*[A-Za-z0-9_](?![A-Za-z0-9_+\/<*$({-])/#)
    }

    /// The files that a text names, whatever they are written in.
    private static func files(in text: String) -> [String] {
        names(in: text, #/[A-Za-z0-9_+\/.-]*[A-Za-z0-9_+-]\.(?:swift|md|js|py|sh|json|html)\b/#)
    }

    /// The matches of a pattern, without those that stand for something else: behind a variable's mark, or with a part `X`.
    private static func names(in text: String, _ pattern: Regex<Substring>) -> [String] {
        text.matches(of: pattern)
            .filter { match in
                let before = text[..<match.range.lowerBound].last
                return before != "$" && before != "{" && !match.output.split(separator: "/").contains("X")
            }
            .map { String($0.output) }
    }
}

/// The paths of a house by their last parts.
private struct FileNames {
    private let paths: [String: [String]]

    init(_ paths: Set<String>) {
        self.paths = Dictionary(grouping: paths) { String($0.split(separator: "/").last ?? "") }
    }

    /// The paths that end with the parts of a name; leading steps upwards are left out.
    private func matches(_ name: String) -> [String] {
        let parts = name.split(separator: "/").filter { $0 != ".." && $0 != "." }
        guard let last = parts.last else { return [] }
        return paths[String(last), default: []]
            .filter { $0.split(separator: "/").suffix(parts.count).elementsEqual(parts) }
    }

    func objection(toAny name: String) -> String? {
        matches(name).isEmpty ? "Name a file that exists; there is no \(name)." : nil
    }

    func objection(toOne name: String) -> String? {
        let found = matches(name)
        if found.count > 1 { return "Say which \(name) is meant: \(found.sorted().joined(separator: ", "))." }
        return found.isEmpty ? "Name a file that exists; there is no \(name)." : nil
    }
}

extension Sequence {
    /// The first result of a closure that is not nil.
    fileprivate func firstNonNil<Result>(_ transform: (Element) -> Result?) -> Result? {
        for element in self {
            if let result = transform(element) { return result }
        }
        return nil
    }
}
