/// Compares the facade with the packages that it stands for.
///
/// For users the facade is the package; for us each nested manifest is. They must say the same, or what we test is not
/// what users get.
package struct FacadeDrift: Sendable {
    /// The facade.
    package let facade: Manifest
    /// The nested packages by their folder from the root of the clone.
    package let packages: [String: Manifest]

    /// Creates a comparison.
    ///
    /// - Parameters:
    ///   - facade: The manifest at the root.
    ///   - packages: The manifests of the packages that the facade publishes, by folder.
    package init(facade: Manifest, packages: [String: Manifest]) {
        self.facade = facade
        self.packages = packages
    }

    /// Returns each difference as a sentence; none when they say the same.
    package func differences() -> [String] {
        targetDifferences() + productDifferences() + requirementDifferences() + platformDifferences()
    }

    // Fakes and kits are for the house's own tests, not for users.
    private static func isPublished(_ name: String) -> Bool { !name.hasSuffix("Testing") }

    private func targetDifferences() -> [String] {
        var differences: [String] = []
        var expected: Set<String> = []
        for (folder, manifest) in packages.sorted(by: { $0.key < $1.key }) {
            for target in manifest.targets where target.kind != "test" && Self.isPublished(target.name) {
                expected.insert(target.name)
                guard let twin = facade.targets.first(where: { $0.name == target.name }) else {
                    differences.append("The facade lacks the target \(target.name) of \(folder).")
                    continue
                }
                let path = "\(folder)/\(target.path ?? "Sources/\(target.name)")"
                if twin.path != path {
                    differences.append("The facade's target \(target.name) must have the path \(path).")
                }
                if twin.kind != target.kind {
                    differences.append("The target \(target.name) is \(target.kind), in the facade \(twin.kind).")
                }
                if flattened(twin.dependencies) != flattened(target.dependencies) {
                    differences.append("The target \(target.name) and its twin in the facade have other dependencies.")
                }
                if twin.settings != target.settings {
                    differences.append("The target \(target.name) and its twin in the facade have other settings.")
                }
            }
        }
        for target in facade.targets where !expected.contains(target.name) {
            differences.append("The facade's target \(target.name) is in no package.")
        }
        return differences
    }

    /// The dependencies with those on packages of the house as plain targets, which they are in the facade.
    private func flattened(_ dependencies: [Manifest.Dependency]) -> Set<Manifest.Dependency> {
        let house = Set(packages.values.map(\.name))
        return Set(
            dependencies.map { dependency in
                dependency.package.map(house.contains) == true ? Manifest.Dependency(name: dependency.name) : dependency
            }
        )
    }

    private func productDifferences() -> [String] {
        let expected = Set(packages.values.flatMap(\.products).filter { Self.isPublished($0.name) })
        let published = Set(facade.products)
        return expected.subtracting(published).map(\.name).sorted().map { "The facade lacks the product \($0)." }
            + published.subtracting(expected).map(\.name).sorted()
            .map { "The facade's product \($0) is in no package." }
    }

    private func requirementDifferences() -> [String] {
        var expected: [String: String] = [:]
        var differences: [String] = []
        for (folder, manifest) in packages.sorted(by: { $0.key < $1.key }) {
            for (identity, requirement) in manifest.requirements.sorted(by: { $0.key < $1.key }) {
                if let other = expected[identity], other != requirement {
                    differences.append("\(folder) requires another version of \(identity) than the packages before it.")
                }
                expected[identity] = requirement
            }
        }
        for (identity, requirement) in expected.sorted(by: { $0.key < $1.key })
        where facade.requirements[identity] != requirement {
            differences.append("The facade must require \(identity) as the packages do: \(requirement).")
        }
        for identity in facade.requirements.keys.sorted() where expected[identity] == nil {
            differences.append("The facade requires \(identity), which no package does.")
        }
        return differences
    }

    private func platformDifferences() -> [String] {
        packages.sorted { $0.key < $1.key }.filter { $0.value.platforms != facade.platforms }
            .map { "\($0.key) has other platforms than the facade." }
    }
}
