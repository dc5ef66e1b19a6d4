// swift-tools-version: 6.3

import PackageDescription

// What stands in for Apple's frameworks on other systems, and the code of the house for these frameworks, compiled against it. It is built
// in a folder of its own: beside a module that is called `Combine`, other code would take this system for one of Apple's.
let package = Package(
    name: "AppleFrameworks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "../../Packages/ObjectStore"),
        // The operators and subscriptions of Combine, made again by others.
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
    ],
    targets: [
        .target(
            name: "Combine",
            dependencies: [
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
                .product(name: "OpenCombineFoundation", package: "OpenCombine"),
            ]
        ),
        .target(name: "SwiftUI", dependencies: ["Combine"]),
        // A symbolic link to Packages/ObjectStore/Sources/ObservableRealms.
        .target(
            name: "CheckedRealms",
            dependencies: [
                "Combine",
                "SwiftUI",
                .product(name: "ObjectStore", package: "ObjectStore"),
            ]
        ),
        .testTarget(
            name: "CheckedRealmsTests",
            dependencies: [
                "CheckedRealms",
                "Combine",
                "SwiftUI",
                .product(name: "ObjectStore", package: "ObjectStore"),
                .product(name: "ObjectStoreTesting", package: "ObjectStore"),
            ]
        ),
    ]
)

/// The compiler settings of the whole house; `Tools/lint` checks that every manifest has the same.
let houseSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .treatAllWarnings(as: .error),
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

for target in package.targets where target.type != .system {
    target.swiftSettings = houseSettings + (target.swiftSettings ?? [])
}
