/// Text from outside is looked up by its bytes: by `ExactText`, and not by what Unicode takes for the same.
package struct OutsideTextRule: FileRule {
    /// The name that reports show.
    package let name: String = "outside-text"

    /// The rooms that take text from devices, tokens and requests.
    private static let rooms: [String] = [
        "Packages/AuditServer/Sources/AuditServer/", "Packages/AuditServer/Sources/PostgreSQLStore/",
    ]
    private static let collections: [String] = ["[String:", "Set<String>", "Dictionary<String"]

    /// Creates the rule.
    package init() {}

    /// Objects to sets and dictionaries that are keyed by `String`, without a `// TEXT:` comment on their line or right above it.
    package func findings(in file: SourceFile) -> [Finding] {
        guard Self.rooms.contains(where: file.path.hasPrefix) else { return [] }
        return file.lines.indices.compactMap { index in
            guard let found = Self.collections.first(where: file.lines[index].says),
                !file.hasComment("TEXT:", at: index)
            else { return nil }
            let message =
                "Key this `\(found)` by `ExactText`, or say after `// TEXT:` why two spellings cannot meet in it."
            return Finding(path: file.path, line: index + 1, message: message)
        }
    }
}
