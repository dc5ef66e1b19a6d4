// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "EventRecording",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "EventRecording", targets: ["EventRecording"]),
        .library(name: "EventRecordingTesting", targets: ["EventRecordingTesting"]),
    ],
    dependencies: [
        .package(path: "../EventModel")
    ],
    targets: [
        .target(
            name: "EventRecording",
            dependencies: [
                .product(name: "EventModel", package: "EventModel")
            ]
        ),
        .target(
            name: "EventRecordingTesting",
            dependencies: [
                "EventRecording",
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "EventModelTesting", package: "EventModel"),
            ]
        ),
        .testTarget(
            name: "EventRecordingTests",
            dependencies: [
                "EventRecording",
                "EventRecordingTesting",
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
