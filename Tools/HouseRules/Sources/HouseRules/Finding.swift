/// A place that breaks a rule.
package struct Finding: Sendable, Hashable {
    /// The path of the file from the root of the clone.
    package let path: String
    /// The line, counted from 1; nil when the whole file is meant.
    package let line: Int?
    /// What is wrong and what to do about it, in a sentence.
    package let message: String

    /// Creates a finding.
    package init(path: String, line: Int? = nil, message: String) {
        self.path = path
        self.line = line
        self.message = message
    }
}

extension Finding: CustomStringConvertible {
    /// The finding as compilers write theirs, so that editors can jump to it.
    package var description: String {
        line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)"
    }
}
