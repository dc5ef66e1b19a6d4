/// Everything that the rules look at: the files of a clone and the manifests of its packages.
package struct House: Sendable {
    /// The Swift files, manifests included.
    package let swiftFiles: [SourceFile]
    /// The other text files, such as scripts and guides.
    package let otherFiles: [SourceFile]
    /// The manifests by the folder of their package; the facade has the empty path.
    package let manifests: [String: Manifest]
    /// Every path of the clone, also of pictures, and of the folders that they lie in.
    package let paths: Set<String>

    /// Creates a house; `pictures` are the paths of files that are not text.
    package init(files: [SourceFile], manifests: [String: Manifest] = [:], pictures: [String] = []) {
        var paths: Set<String> = []
        for path in files.map(\.path) + pictures {
            var parts = path.split(separator: "/")
            while !parts.isEmpty, paths.insert(parts.joined(separator: "/")).inserted { parts.removeLast() }
        }
        self.paths = paths
        swiftFiles = files.filter(\.isSwift)
        otherFiles = files.filter { !$0.isSwift }
        self.manifests = manifests
    }

    /// The manifests with their folders, in the order of the folders.
    package var sortedManifests: [(folder: String, manifest: Manifest)] {
        manifests.sorted { $0.key < $1.key }.map { (folder: $0.key, manifest: $0.value) }
    }
}
