// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "SyncTransport",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "SyncTransport", targets: ["SyncTransport"]),
        .library(name: "RealmSync", targets: ["RealmSync"]),
        .library(name: "SyncTransportTesting", targets: ["SyncTransportTesting"]),
    ],
    dependencies: [
        .package(path: "../ChangeModel"),
        .package(path: "../EventModel"),
        .package(path: "../EventPartitions"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
    ],
    targets: [
        .target(
            name: "SyncTransport",
            // Crypto checks what the server signs, EventProofs the log that it publishes.
            dependencies: [
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "EventProofs", package: "EventPartitions"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        // The sync of realms, apart from the upload of events, which needs none of it.
        .target(
            name: "RealmSync",
            dependencies: [
                "SyncTransport",
                .product(name: "ChangeModel", package: "ChangeModel"),
                .product(name: "Deflate", package: "EventModel"),
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "SyncTransportTesting",
            dependencies: [
                "SyncTransport",
                .product(name: "EventModel", package: "EventModel"),
            ]
        ),
        .testTarget(
            name: "RealmSyncTests",
            dependencies: [
                "RealmSync",
                "SyncTransport",
                "SyncTransportTesting",
                .product(name: "ChangeModel", package: "ChangeModel"),
                .product(name: "ChangeModelTesting", package: "ChangeModel"),
                .product(name: "Deflate", package: "EventModel"),
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "EventModelTesting", package: "EventModel"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(
            name: "SyncTransportTests",
            dependencies: [
                "SyncTransport",
                "SyncTransportTesting",
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "EventModelTesting", package: "EventModel"),
                .product(name: "EventPartitionsTesting", package: "EventPartitions"),
                .product(name: "EventProofs", package: "EventPartitions"),
                .product(name: "Crypto", package: "swift-crypto"),
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
