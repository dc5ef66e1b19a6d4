/// Modules that some folders of a target alone may import, so that the rest of it goes through what those offer.
package struct ConfinedImportRule: FileRule {
    /// The name that reports show.
    package let name: String = "confined-import"
    /// For each target, the modules with the folders that may import them.
    package let plan: [String: [String: Set<String>]]

    /// Creates the rule with the plan of the server.
    package init(plan: [String: [String: Set<String>]] = Self.server) { self.plan = plan }

    /// Hummingbird's router is out of the reach of features: whoever adds a route has to say who may use it.
    package static let server: [String: [String: Set<String>]] = [
        "AuditHTTP": ["Hummingbird": ["Access", "Answers", "Requests", "Routing", "Serving"]]
    ]

    /// Objects to imports of a confined module in other folders of its target.
    package func findings(in file: SourceFile) -> [Finding] {
        guard file.role == .source, let modules = plan[file.target] else { return [] }
        return file.imports.compactMap { declaration in
            guard let folders = modules[declaration.module],
                !folders.contains(where: { file.path.contains("/Sources/\(file.target)/\($0)/") })
            else { return nil }
            return Finding(
                path: file.path,
                line: declaration.line,
                message: "Only \(folders.sorted().joined(separator: ", ")) of \(file.target) may import "
                    + "\(declaration.module); use what they offer."
            )
        }
    }
}
