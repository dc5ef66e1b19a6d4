/// Sources never trap on what can go wrong at run time.
package struct ForbiddenCallRule: FileRule {
    /// The name that reports show.
    package let name: String = "forbidden-call"

    /// Creates the rule.
    package init() {}

    /// Objects to `try!` and `as!`; force unwraps are left to `swift format`.
    package func findings(in file: SourceFile) -> [Finding] {
        guard file.role == .source else { return [] }
        return file.findings { line in
            if line.says("try!") { return "Handle the error or let it through; `try!` ends the user's process." }
            if line.says("as!") { return "Cast with `as?` and handle the failure; `as!` ends the user's process." }
            return nil
        }
    }
}
