// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "EventModel",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "EventModel", targets: ["EventModel"]),
        .library(name: "CZlib", targets: ["CZlib"]),
        .library(name: "Deflate", targets: ["Deflate"]),
        .library(name: "EventModelTesting", targets: ["EventModelTesting"]),
    ],
    targets: [
        .target(name: "EventModel"),
        // zlib makes event files and messages smaller: each system has it, and anybody can read a file with it.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "Deflate", dependencies: ["CZlib"]),
        .target(
            name: "EventModelTesting",
            dependencies: [
                "EventModel"
            ]
        ),
        .testTarget(
            name: "DeflateTests",
            dependencies: [
                "Deflate",
                "EventModel",
                "EventModelTesting",
            ]
        ),
        .testTarget(
            name: "EventModelTests",
            dependencies: [
                "EventModel",
                "EventModelTesting",
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
