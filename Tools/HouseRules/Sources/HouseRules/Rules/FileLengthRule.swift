/// Swift files stay short enough to be read in one go.
package struct FileLengthRule: FileRule {
    /// The name that reports show.
    package let name: String = "file-length"
    /// The largest count of lines that passes.
    package let limit: Int
    /// Files that may be longer, such as generated ones.
    package let exempt: Set<String>

    /// Creates the rule.
    package init(limit: Int = 400, exempt: Set<String> = []) {
        self.limit = limit
        self.exempt = exempt
    }

    /// Objects to a file that is too long.
    package func findings(in file: SourceFile) -> [Finding] {
        // A file that ends with a newline has an empty last line, which nobody reads.
        let count = file.lines.last?.text.isEmpty == true ? file.lines.count - 1 : file.lines.count
        guard count > limit, !exempt.contains(file.path) else { return [] }
        return [Finding(path: file.path, message: "The file has \(count) lines; split it, \(limit) is the limit.")]
    }
}
