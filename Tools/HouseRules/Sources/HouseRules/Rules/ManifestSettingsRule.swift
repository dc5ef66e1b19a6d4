/// Every target of every package is compiled with the settings of the facade's.
package struct ManifestSettingsRule: Rule {
    /// The name that reports show.
    package let name: String = "manifest-settings"

    /// Creates the rule.
    package init() {}

    /// Objects to targets with other settings, and to manifests for other tools.
    package func findings(in house: House) -> [Finding] {
        guard let facade = house.manifests[""], let settings = facade.targets.first?.settings, !settings.isEmpty else {
            return [Finding(path: "Package.swift", message: "The facade has no target with settings to compare with.")]
        }
        return house.sortedManifests.flatMap { folder, manifest in
            let path = folder.isEmpty ? "Package.swift" : "\(folder)/Package.swift"
            var findings: [Finding] = []
            if manifest.toolsVersion != facade.toolsVersion {
                findings.append(Finding(path: path, message: "The tools version must be \(facade.toolsVersion)."))
            }
            for target in manifest.targets where target.kind != "system" && target.settings != settings {
                findings.append(
                    Finding(path: path, message: "The settings of \(target.name) are not those of the house.")
                )
            }
            return findings
        }
    }
}
