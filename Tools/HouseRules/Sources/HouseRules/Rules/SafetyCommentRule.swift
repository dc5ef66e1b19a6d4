/// Whoever switches the compiler's checks off names the guard that takes their place.
package struct SafetyCommentRule: FileRule {
    /// The name that reports show.
    package let name: String = "safety-comment"

    private static let switches: [String] = ["@unchecked Sendable", "nonisolated(unsafe)", "unowned(unsafe)"]

    /// Creates the rule.
    package init() {}

    /// Objects to such a switch without a `// SAFETY:` comment within three lines or right above it.
    package func findings(in file: SourceFile) -> [Finding] {
        file.lines.indices.compactMap { index in
            guard let found = Self.switches.first(where: file.lines[index].says),
                !file.hasComment("SAFETY:", at: index, reach: 3)
            else { return nil }
            let message = "Say after `// SAFETY:` what guards this `\(found)`."
            return Finding(path: file.path, line: index + 1, message: message)
        }
    }
}
