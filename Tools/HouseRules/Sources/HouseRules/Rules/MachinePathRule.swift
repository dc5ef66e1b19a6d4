/// No file knows the machine that it was written on.
package struct MachinePathRule: Rule {
    /// The name that reports show.
    package let name: String = "machine-path"

    // Put together from parts, so that this file does not break its own rule.
    private static let paths: [String] = [
        "/" + "work/", "/" + "farm/", "/" + "root/", "/tmp/" + "heavy", "/" + "Users/",
    ]

    /// Creates the rule.
    package init() {}

    /// Objects to absolute paths of somebody's machine in any text of the house.
    package func findings(in house: House) -> [Finding] {
        (house.swiftFiles + house.otherFiles)
            .flatMap { file in
                file.findings { line in
                    Self.paths.first { Self.contains($0, in: line.text) }
                        .map { "Find the place at run time; \($0) exists on one machine only." }
                }
            }
    }

    /// Whether an absolute path begins here, rather than in the middle of a longer one.
    private static func contains(_ path: String, in text: String) -> Bool {
        var rest = text[...]
        while let match = rest.firstRange(of: path) {
            let before = text[..<match.lowerBound].last
            if !(before?.isLetter == true || before?.isNumber == true || before == "." || before == "}") { return true }
            rest = text[match.upperBound...]
        }
        return false
    }
}
