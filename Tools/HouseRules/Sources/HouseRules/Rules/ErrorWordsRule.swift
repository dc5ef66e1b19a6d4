/// A public error says in words what is wrong where apps show errors: it is a `LocalizedError`.
///
/// Without it, `localizedDescription` of every error is the same sentence, which names nothing.
package struct ErrorWordsRule: FileRule {
    /// The name that reports show.
    package let name: String = "error-words"

    private static let kinds: [String] = ["struct ", "enum ", "class "]

    /// Creates the rule.
    package init() {}

    /// Objects to a public error of a package whose file does not make it a `LocalizedError`.
    package func findings(in file: SourceFile) -> [Finding] {
        guard file.path.hasPrefix("Packages/"), file.role == .source, !file.target.hasSuffix("Testing") else {
            return []
        }
        let localized = Set(
            file.lines.map(\.code).filter { $0.contains("LocalizedError") }.compactMap(Self.declaredName)
        )
        return file.findings { line in
            guard line.code.contains("public "), Self.kinds.contains(where: line.code.contains),
                let name = Self.declaredName(line.code), Self.parents(line.code).contains(where: Self.isError),
                !localized.contains(name)
            else { return nil }
            return "Let '\(name)' be a LocalizedError in this file, so that localizedDescription says what is wrong."
        }
    }

    /// The last name before the first colon, such as `Error` of `extension Realm.Error: LocalizedError`.
    private static func declaredName(_ code: String) -> String? {
        code.split(separator: ":").first?.split { $0 == " " || $0 == "." }.last.map(String.init)
    }

    /// The types behind the colon.
    private static func parents(_ code: String) -> [Substring] {
        guard let colon = code.firstIndex(of: ":") else { return [] }
        return code[code.index(after: colon)...].split { $0 == "," || $0 == " " || $0 == "{" }
    }

    private static func isError(_ name: Substring) -> Bool { ["Error", "Swift.Error"].contains(name) }
}
