/// The libraries of the house, each after the ones that it depends on.
package struct LibraryOrder: Sendable {
    /// A library and the package that it is of.
    package struct Library: Sendable, Hashable {
        /// The folder of the package.
        package let folder: String
        /// The name of the target.
        package let name: String

        /// Creates a library.
        package init(folder: String, name: String) {
            self.folder = folder
            self.name = name
        }
    }

    /// The libraries in order.
    package let libraries: [Library]

    /// Orders the libraries of packages.
    ///
    /// - Parameter packages: The manifests by folder.
    package init(packages: [String: Manifest]) {
        var targets: [String: (library: Library, dependencies: [String])] = [:]
        for (folder, manifest) in packages {
            for target in manifest.targets where target.kind == "regular" {
                let library = Library(folder: folder, name: target.name)
                targets[target.name] = (library, target.dependencies.map(\.name))
            }
        }
        var ordered: [Library] = []
        var visited: Set<String> = []
        func visit(_ name: String) {
            guard visited.insert(name).inserted, let (library, dependencies) = targets[name] else { return }
            for dependency in dependencies.sorted() { visit(dependency) }
            ordered.append(library)
        }
        for name in targets.keys.sorted() { visit(name) }
        libraries = ordered
    }
}
