/// Every imported module is a declared dependency of the target that imports it.
///
/// SwiftPM lets a target import what its dependencies happen to depend on; such an import breaks when they change.
package struct DeclaredImportRule: Rule {
    /// The name that reports show.
    package let name: String = "declared-import"

    /// Creates the rule.
    package init() {}

    /// Objects to imports of modules that are neither declared nor a part of the system or the toolchain.
    package func findings(in house: House) -> [Finding] {
        house.swiftFiles.filter { $0.role != .other }
            .flatMap { file in
                guard let target = house.manifests[file.package]?.targets.first(where: { $0.name == file.target })
                else {
                    return [
                        Finding(
                            path: file.path,
                            message: "No manifest declares the target \(file.target) of this file."
                        )
                    ]
                }
                let declared = Set(target.dependencies.map { Self.module(of: $0) }).union([target.name])
                    .union(Self.systemModules)
                return file.imports.filter { !declared.contains($0.module) }
                    .map { declaration in
                        Finding(
                            path: file.path,
                            line: declaration.line,
                            message:
                                "Declare \(declaration.module) as a dependency of \(target.name), or do not import it."
                        )
                    }
            }
    }

    /// The module of a dependency; SwiftPM makes `ward-demo` importable as `ward_demo`.
    private static func module(of dependency: Manifest.Dependency) -> String {
        dependency.name.replacing("-", with: "_")
    }

    /// What the toolchain and the systems bring.
    private static let systemModules: Set<String> = [
        "Swift", "Synchronization", "Testing", "RegexBuilder", "Observation",
        "Foundation", "FoundationEssentials", "FoundationNetworking", "Dispatch", "CDispatch", "PackageDescription",
        "Glibc", "Musl", "Darwin", "ObjectiveC", "os", "Combine", "SwiftUI", "Network", "Security", "CryptoKit",
    ]
}
