/// Everything that the rules look at: the files of a clone and the manifests of its packages.
package struct House: Sendable {
    /// The Swift files, manifests included.
    package let swiftFiles: [SourceFile]
    /// The other text files, such as scripts and guides.
    package let otherFiles: [SourceFile]
    /// The manifests by the folder of their package; the facade has the empty path.
    package let manifests: [String: Manifest]

    /// Creates a house.
    package init(files: [SourceFile], manifests: [String: Manifest] = [:]) {
        swiftFiles = files.filter(\.isSwift)
        otherFiles = files.filter { !$0.isSwift }
        self.manifests = manifests
    }

    /// The manifests with their folders, in the order of the folders.
    package var sortedManifests: [(folder: String, manifest: Manifest)] {
        manifests.sorted { $0.key < $1.key }.map { (folder: $0.key, manifest: $0.value) }
    }
}
