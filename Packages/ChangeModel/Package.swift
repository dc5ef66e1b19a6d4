// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "ChangeModel",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "ChangeModel", targets: ["ChangeModel"]),
        .library(name: "ChangeModelTesting", targets: ["ChangeModelTesting"]),
    ],
    dependencies: [
        .package(path: "../EventModel")
    ],
    targets: [
        .target(
            name: "ChangeModel",
            dependencies: [
                .product(name: "EventModel", package: "EventModel")
            ]
        ),
        .target(
            name: "ChangeModelTesting",
            dependencies: [
                "ChangeModel",
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "EventModelTesting", package: "EventModel"),
            ]
        ),
        .testTarget(
            name: "ChangeModelTests",
            dependencies: [
                "ChangeModel",
                "ChangeModelTesting",
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "EventModelTesting", package: "EventModel"),
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
