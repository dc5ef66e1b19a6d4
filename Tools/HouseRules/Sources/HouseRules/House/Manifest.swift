/// What a package declares, read from the JSON of `swift package dump-package`.
package struct Manifest: Sendable, Hashable {
    /// A dependency of a target: a target or product of the house, or a product of another package.
    package struct Dependency: Sendable, Hashable {
        /// The name of the target or product.
        package let name: String
        /// The package that the product is of; nil for a target of the same package.
        package let package: String?

        /// Creates a dependency.
        package init(name: String, package: String? = nil) {
            self.name = name
            self.package = package
        }
    }

    /// One target.
    package struct Target: Sendable, Hashable {
        /// The name.
        package let name: String
        /// The kind as SwiftPM calls it: `regular`, `executable`, `test`, `system` and others.
        package let kind: String
        /// The explicit folder, or nil for the usual one.
        package let path: String?
        /// What the target depends on.
        package let dependencies: [Dependency]
        /// The settings, each as canonical JSON, in order.
        package let settings: [String]

        /// Creates a target.
        package init(
            name: String,
            kind: String = "regular",
            path: String? = nil,
            dependencies: [Dependency] = [],
            settings: [String] = []
        ) {
            self.name = name
            self.kind = kind
            self.path = path
            self.dependencies = dependencies
            self.settings = settings
        }
    }

    /// A product.
    package struct Product: Sendable, Hashable {
        /// The name.
        package let name: String
        /// The kind as SwiftPM calls it: `library`, `executable`, `plugin`.
        package let kind: String
        /// The targets that are a part of it.
        package let targets: [String]

        /// Creates a product.
        package init(name: String, kind: String = "library", targets: [String]) {
            self.name = name
            self.kind = kind
            self.targets = targets
        }
    }

    /// The name of the package.
    package let name: String
    /// The oldest tools that understand the manifest.
    package let toolsVersion: String
    /// The platforms with their oldest versions, sorted.
    package let platforms: [String]
    /// The packages that come from elsewhere, by identity, with what is required of them as canonical JSON.
    package let requirements: [String: String]
    /// The products, in order.
    package let products: [Product]
    /// The targets, in order.
    package let targets: [Target]

    /// Creates a manifest.
    package init(
        name: String,
        toolsVersion: String = "6.3.0",
        platforms: [String] = [],
        requirements: [String: String] = [:],
        products: [Product] = [],
        targets: [Target] = []
    ) {
        self.name = name
        self.toolsVersion = toolsVersion
        self.platforms = platforms
        self.requirements = requirements
        self.products = products
        self.targets = targets
    }
}
