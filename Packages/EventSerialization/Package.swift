// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "EventSerialization",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "EventSerialization", targets: ["EventSerialization"]),
        .library(name: "EventSerializationTesting", targets: ["EventSerializationTesting"]),
    ],
    dependencies: [
        .package(path: "../EventModel"),
        // Data may be shown by its SHA-256 digest; Foundation has none on Linux, and EventProofs uses the same library.
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
    ],
    targets: [
        .target(
            name: "EventSerialization",
            dependencies: [
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "EventSerializationTesting",
            dependencies: [
                "EventSerialization",
                .product(name: "EventModel", package: "EventModel"),
            ]
        ),
        .testTarget(
            name: "EventSerializationTests",
            dependencies: [
                "EventSerialization",
                "EventSerializationTesting",
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
