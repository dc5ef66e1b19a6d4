/// Dependencies between the packages of the house point inwards: rooms know the model, and only the umbrella knows rooms.
package struct InwardDependencyRule: Rule {
    /// The name that reports show.
    package let name: String = "inward-dependency"
    /// For each package of the house, what it may depend on: packages, or single products of one as `Package/Product`.
    package let allowed: [String: Set<String>]

    /// Creates the rule with the plan of the house.
    package init(
        allowed: [String: Set<String>] = [
            "EventModel": [],
            "ChangeModel": ["EventModel"],
            "ObjectStore": ["EventModel", "ChangeModel"],
            "EventSerialization": ["EventModel", "ChangeModel"],
            "EventRecording": ["EventModel", "ChangeModel"],
            "EventPartitions": ["EventModel", "ChangeModel"],
            // Proofs are computed and checked there, and nothing of partitions is known; the other product is for tests.
            "SyncTransport": [
                "EventModel", "ChangeModel", "EventPartitions/EventProofs", "EventPartitions/EventPartitionsTesting",
            ],
            "Daybook": [
                "EventModel", "ChangeModel", "ObjectStore", "EventSerialization", "EventRecording", "EventPartitions",
                "SyncTransport",
            ],
            // The command looks into realm files; no room of the server itself knows the store, see TargetWallRule.
            "AuditServer": ["EventModel", "ChangeModel", "EventPartitions", "ObjectStore"],
        ]
    ) {
        self.allowed = allowed
    }

    /// Objects to a dependency on a package that the plan does not allow, and to packages that it does not know.
    package func findings(in house: House) -> [Finding] {
        house.sortedManifests.filter { $0.folder.hasPrefix("Packages/") }
            .flatMap { folder, manifest in
                let path = "\(folder)/Package.swift"
                guard let inner = allowed[manifest.name] else {
                    return [
                        Finding(
                            path: path,
                            message: "The plan of the house does not know the package \(manifest.name)."
                        )
                    ]
                }
                let dependencies = manifest.targets.flatMap(\.dependencies)
                    .filter { dependency in
                        guard let package = dependency.package, allowed[package] != nil else { return false }
                        return !inner.contains(package) && !inner.contains("\(package)/\(dependency.name)")
                    }
                return Set(dependencies.compactMap(\.package)).sorted()
                    .map {
                        Finding(
                            path: path,
                            message: "\(manifest.name) must not depend on \($0); meet it through a seam of EventModel."
                        )
                    }
            }
    }
}
