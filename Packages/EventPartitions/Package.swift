// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "EventPartitions",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "EventProofs", targets: ["EventProofs"]),
        .library(name: "EventPartitions", targets: ["EventPartitions"]),
        .library(name: "EventPartitionsTesting", targets: ["EventPartitionsTesting"]),
    ],
    dependencies: [
        .package(path: "../EventModel"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
    ],
    targets: [
        .target(
            name: "EventProofs",
            dependencies: [
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "EventPartitions",
            dependencies: [
                "EventProofs",
                .product(name: "CZlib", package: "EventModel"),
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "EventPartitionsTesting",
            dependencies: [
                "EventPartitions",
                "EventProofs",
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "EventModelTesting", package: "EventModel"),
            ]
        ),
        .testTarget(
            name: "EventProofsTests",
            dependencies: [
                "EventPartitionsTesting",
                "EventProofs",
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "EventModelTesting", package: "EventModel"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(
            name: "EventPartitionsTests",
            dependencies: [
                "EventPartitions",
                "EventPartitionsTesting",
                "EventProofs",
                .product(name: "CZlib", package: "EventModel"),
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "EventModelTesting", package: "EventModel"),
            ],
            resources: [.copy("Golden")]
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
