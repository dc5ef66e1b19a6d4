// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "HouseRules",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "house-rules", targets: ["house-rules"])
    ],
    targets: [
        .target(name: "HouseRules"),
        .executableTarget(
            name: "house-rules",
            dependencies: ["HouseRules"]
        ),
        .testTarget(
            name: "HouseRulesTests",
            dependencies: ["HouseRules"]
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
