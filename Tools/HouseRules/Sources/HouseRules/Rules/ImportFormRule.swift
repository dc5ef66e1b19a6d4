/// Imports say how far they reach with an access level, and tests look inside their own package only.
package struct ImportFormRule: Rule {
    /// The name that reports show.
    package let name: String = "import-form"

    /// The packages whose tests are run optimised, with the options of what is shipped, where no `@testable` import compiles.
    private let optimised: Set<String>

    /// Creates the rule.
    package init(optimised: Set<String> = ["Packages/ChangeModel", "Packages/Daybook"]) {
        self.optimised = optimised
    }

    /// Objects to old attributes, re-exports outside of `…Exports.swift`, and `@testable` imports that are foreign or not optimised.
    package func findings(in house: House) -> [Finding] {
        house.swiftFiles.flatMap { file in
            file.imports.compactMap { declaration in
                objection(to: declaration, in: file, of: house)
                    .map { Finding(path: file.path, line: declaration.line, message: $0) }
            }
        }
    }

    private func objection(to declaration: Import, in file: SourceFile, of house: House) -> String? {
        if declaration.attributes.contains("@_implementationOnly") {
            return "Write `import \(declaration.module)`, which is internal already, instead of `@_implementationOnly`."
        }
        if declaration.attributes.contains("@_exported"), !file.path.hasSuffix("Exports.swift") {
            return "Re-export \(declaration.module) in a file whose name ends with Exports.swift."
        }
        if declaration.attributes.contains("@testable") {
            let own = house.manifests[file.package]?.targets.map(\.name) ?? []
            if !own.contains(declaration.module) {
                return "Test \(declaration.module) through its public surface; it is of another package."
            }
            if optimised.contains(file.package) {
                return "Test \(declaration.module) through its public surface; these tests are run optimised, too."
            }
        }
        return nil
    }
}
