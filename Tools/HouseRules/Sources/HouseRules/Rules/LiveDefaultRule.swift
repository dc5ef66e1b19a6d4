/// Time, ids and files are injected; what is live is a default at the outermost initialiser, marked `// LIVE:`.
package struct LiveDefaultRule: FileRule {
    /// The name that reports show.
    package let name: String = "live-default"

    private static let calls: [String] = ["Date()", "Date.now", "UUID()", "FileManager.default"]

    /// Creates the rule.
    package init() {}

    /// Objects to live calls in sources without the mark on their line or right above it.
    package func findings(in file: SourceFile) -> [Finding] {
        guard file.role == .source else { return [] }
        return file.lines.indices.compactMap { index in
            guard let call = Self.calls.first(where: file.lines[index].says), !file.hasComment("LIVE:", at: index)
            else {
                return nil
            }
            let message = "Inject this instead of calling \(call), or mark the live default with `// LIVE: why`."
            return Finding(path: file.path, line: index + 1, message: message)
        }
    }
}
