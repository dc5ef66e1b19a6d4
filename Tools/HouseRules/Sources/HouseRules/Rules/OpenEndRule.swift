/// What is left to do stands in an issue, not in the code.
package struct OpenEndRule: Rule {
    /// The name that reports show.
    package let name: String = "open-end"

    // Put together from parts, so that this file does not break its own rule.
    private static let marks: [String] = ["TO" + "DO", "FIX" + "ME", "X" + "XX"]

    /// Creates the rule.
    package init() {}

    /// Objects to marks of unfinished work in Swift files and scripts.
    package func findings(in house: House) -> [Finding] {
        let scripts = house.otherFiles.filter { !$0.path.hasSuffix(".md") && !$0.path.hasSuffix(".ndjson") }
        return (house.swiftFiles + scripts)
            .flatMap { file in
                file.findings { line in
                    let read = SourceLine(text: line.text, code: file.isSwift ? line.comment : line.code, comment: "")
                    return Self.marks.first(where: read.says)
                        .map { "Finish it or open an issue instead of leaving a \($0)." }
                }
            }
    }
}
