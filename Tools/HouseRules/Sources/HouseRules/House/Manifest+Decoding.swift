package import Foundation

extension Manifest {
    /// Reads the JSON that `swift package dump-package` writes.
    ///
    /// - Throws: A `DecodingError` or ``HouseRulesError/malformedManifest(_:)`` when the JSON is not one.
    package init(dump: Data) throws {
        guard let root = try JSONSerialization.jsonObject(with: dump) as? [String: Any],
            let name = root["name"] as? String
        else { throw HouseRulesError.malformedManifest("It has no name.") }
        self.init(
            name: name,
            toolsVersion: (root["toolsVersion"] as? [String: Any])?["_version"] as? String ?? "",
            platforms: Self.objects(root["platforms"]).map(Self.platform).sorted(),
            requirements: try Self.requirements(Self.objects(root["dependencies"])),
            products: try Self.objects(root["products"]).map(Self.product),
            targets: try Self.objects(root["targets"]).map(Self.target)
        )
    }

    private static func objects(_ value: Any?) -> [[String: Any]] { value as? [[String: Any]] ?? [] }

    private static func platform(_ entry: [String: Any]) -> String {
        "\(entry["platformName"] as? String ?? "") \(entry["version"] as? String ?? "")"
    }

    private static func requirements(_ entries: [[String: Any]]) throws -> [String: String] {
        var requirements: [String: String] = [:]
        for entry in entries {
            for source in objects(entry["sourceControl"]) {
                guard let identity = source["identity"] as? String, let requirement = source["requirement"] else {
                    throw HouseRulesError.malformedManifest("A dependency has no identity or no requirement.")
                }
                requirements[identity] = try canonical(requirement)
            }
        }
        return requirements
    }

    private static func product(_ entry: [String: Any]) throws -> Product {
        guard let name = entry["name"] as? String, let kind = (entry["type"] as? [String: Any])?.keys.first else {
            throw HouseRulesError.malformedManifest("A product has no name or no type.")
        }
        return Product(name: name, kind: kind, targets: entry["targets"] as? [String] ?? [])
    }

    private static func target(_ entry: [String: Any]) throws -> Target {
        guard let name = entry["name"] as? String, let kind = entry["type"] as? String else {
            throw HouseRulesError.malformedManifest("A target has no name or no type.")
        }
        return Target(
            name: name,
            kind: kind,
            path: entry["path"] as? String,
            dependencies: try objects(entry["dependencies"]).map(dependency),
            settings: try objects(entry["settings"]).map(canonical)
        )
    }

    private static func dependency(_ entry: [String: Any]) throws -> Dependency {
        if let product = entry["product"] as? [Any], product.count >= 2, let name = product[0] as? String {
            return Dependency(name: name, package: product[1] as? String)
        }
        let local = (entry["byName"] ?? entry["target"]) as? [Any]
        guard let name = local?.first as? String else {
            throw HouseRulesError.malformedManifest("A target has a dependency of an unknown form.")
        }
        return Dependency(name: name)
    }

    private static func canonical(_ value: Any) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
        return String(decoding: data, as: UTF8.self)
    }
}
