/// Whoever has a line in front of them finds its room on the map: every target is named there, and every folder of the larger ones.
package struct MappedRoomRule: Rule {
    /// The name that reports show.
    package let name: String = "mapped-rooms"
    /// The page that names the rooms.
    package let map: String
    /// Packages of which the map names the targets alone: each target's own pages name its folders.
    package let wholeTargets: Set<String>

    /// Creates the rule.
    package init(
        map: String = "Packages/ARCHITECTURE.md",
        wholeTargets: Set<String> = [
            "Packages/AuditServer", "Integration", "Integration/AppleFrameworks", "Integration/Benchmarks",
            "Tools/HouseRules",
        ]
    ) {
        self.map = map
        self.wholeTargets = wholeTargets
    }

    /// Objects to each target and folder that the map does not name as code, once.
    package func findings(in house: House) -> [Finding] {
        guard let page = house.otherFiles.first(where: { $0.path == map }) else { return [] }
        var named = Set(page.lines.flatMap { $0.text.matches(of: #/`([A-Za-z0-9_+-]+)`/#).map { String($0.output.1) } })
        return house.swiftFiles.filter { $0.role == .source }
            .flatMap { rooms(of: $0) }
            .compactMap { room in
                guard named.insert(room.name).inserted else { return nil }
                return Finding(path: room.path, message: "Say on the map, \(map), what lies in `\(room.name)`.")
            }
    }

    private func rooms(of file: SourceFile) -> [(path: String, name: String)] {
        // Fakes lie beside what they stand for.
        guard !file.target.hasSuffix("Testing") else { return [] }
        let target = "\(file.package)/Sources/\(file.target)"
        let folders = file.path.dropFirst(target.count + 1).split(separator: "/").dropLast()
        guard !wholeTargets.contains(file.package), let folder = folders.first else { return [(target, file.target)] }
        return [(target, file.target), ("\(target)/\(folder)", String(folder))]
    }
}
