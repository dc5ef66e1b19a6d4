/// Each Swift file has a name of its own, so that a name in a page, a report or a search is one place.
package struct UniqueNameRule: Rule {
    /// The name that reports show.
    package let name: String = "unique-name"

    /// Creates the rule.
    package init() {}

    /// Objects to every file whose name another one before it has; manifests must all be called the same.
    package func findings(in house: House) -> [Finding] {
        var first: [Substring: String] = [:]
        return house.swiftFiles.map(\.path).sorted()
            .compactMap { path in
                guard let name = path.split(separator: "/").last, name != "Package.swift" else { return nil }
                guard let other = first[name] else {
                    first[name] = path
                    return nil
                }
                return Finding(path: path, message: "\(other) has the same name; call the file by what only it holds.")
            }
    }
}
