// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "Daybook",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Daybook", targets: ["Daybook"])
    ],
    dependencies: [
        .package(path: "../ChangeModel"),
        .package(path: "../EventModel"),
        .package(path: "../ObjectStore"),
        .package(path: "../EventSerialization"),
        .package(path: "../EventRecording"),
        .package(path: "../EventPartitions"),
        .package(path: "../SyncTransport"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
    ],
    targets: [
        .target(
            name: "EventDestinations",
            dependencies: [
                .product(name: "EventModel", package: "EventModel")
            ]
        ),
        .target(
            name: "Daybook",
            dependencies: [
                "EventDestinations",
                .product(name: "ChangeModel", package: "ChangeModel"),
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "ObjectStore", package: "ObjectStore"),
                .product(name: "ObservableRealms", package: "ObjectStore"),
                .product(name: "EventSerialization", package: "EventSerialization"),
                .product(name: "EventRecording", package: "EventRecording"),
                .product(name: "EventPartitions", package: "EventPartitions"),
                .product(name: "EventProofs", package: "EventPartitions"),
                .product(name: "RealmSync", package: "SyncTransport"),
                .product(name: "SyncTransport", package: "SyncTransport"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "EventDestinationsTests",
            dependencies: [
                "EventDestinations",
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "EventModelTesting", package: "EventModel"),
            ]
        ),
        .testTarget(
            name: "DaybookTests",
            dependencies: [
                "Daybook",
                .product(name: "EventModelTesting", package: "EventModel"),
                .product(name: "EventPartitionsTesting", package: "EventPartitions"),
                .product(name: "EventRecordingTesting", package: "EventRecording"),
                .product(name: "ObjectStoreTesting", package: "ObjectStore"),
            ]
        ),
        .testTarget(
            name: "AsyncTests",
            dependencies: [
                "Daybook",
                .product(name: "ObjectStoreTesting", package: "ObjectStore"),
                .product(name: "SyncTransportTesting", package: "SyncTransport"),
            ]
        ),
        .testTarget(
            name: "ScenarioTests",
            dependencies: [
                "Daybook",
                .product(name: "EventModelTesting", package: "EventModel"),
                .product(name: "EventRecordingTesting", package: "EventRecording"),
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
