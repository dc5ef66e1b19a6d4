// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "Integration",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "ward-demo", targets: ["ward-demo"]),
        .executable(name: "event-kill", targets: ["event-kill"]),
        .executable(name: "load-simulator", targets: ["load-simulator"]),
    ],
    dependencies: [
        .package(path: "../Packages/ChangeModel"),
        .package(path: "../Packages/EventModel"),
        .package(path: "../Packages/EventPartitions"),
        .package(path: "../Packages/ObjectStore"),
        .package(path: "../Packages/Daybook"),
        .package(path: "../Packages/AuditServer"),
        .package(path: "../Packages/SyncTransport"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        // The simulated devices have connections that can be cut; the server's own foundation.
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        // The tests change a byte in the server's database behind its back.
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    ],
    targets: [
        .target(
            name: "Ward",
            dependencies: [
                .product(name: "Daybook", package: "Daybook")
            ],
            resources: [.embedInCode("Resources/small-ward.ndjson")]
        ),
        .executableTarget(
            name: "ward-demo",
            dependencies: [
                "Ward",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .target(
            name: "TracedRealms",
            dependencies: [
                .product(name: "Daybook", package: "Daybook")
            ]
        ),
        .target(
            name: "AppKill",
            dependencies: [
                "TracedRealms",
                .product(name: "AuditModel", package: "AuditServer"),
                .product(name: "AuditHTTP", package: "AuditServer"),
                .product(name: "AuditServerTesting", package: "AuditServer"),
                .product(name: "Daybook", package: "Daybook"),
                .product(name: "EventModelTesting", package: "EventModel"),
            ]
        ),
        .executableTarget(
            name: "event-kill",
            dependencies: [
                "AppKill",
                .product(name: "AuditServerTesting", package: "AuditServer"),
                // Built beside this program, which starts it.
                .product(name: "daybook", package: "AuditServer"),
                .product(name: "EventPartitionsTesting", package: "EventPartitions"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .target(
            name: "LoadSimulator",
            dependencies: [
                "TracedRealms",
                .product(name: "AuditServerTesting", package: "AuditServer"),
                .product(name: "ChangeModel", package: "ChangeModel"),
                .product(name: "Daybook", package: "Daybook"),
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "EventModelTesting", package: "EventModel"),
                .product(name: "EventPartitionsTesting", package: "EventPartitions"),
                .product(name: "EventProofs", package: "EventPartitions"),
                // The simulator shortens the logs of realms beside the server.
                .product(name: "SQLiteStore", package: "AuditServer"),
                .product(name: "SyncServer", package: "AuditServer"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .executableTarget(
            name: "load-simulator",
            dependencies: [
                "LoadSimulator",
                // Built beside this program, which starts it.
                .product(name: "daybook", package: "AuditServer"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .testTarget(
            name: "LoadSimulatorTests",
            dependencies: [
                "LoadSimulator",
                .product(name: "daybook", package: "AuditServer"),
                .product(name: "Daybook", package: "Daybook"),
                .product(name: "EventModelTesting", package: "EventModel"),
            ]
        ),
        .testTarget(
            name: "WardTests",
            dependencies: [
                "Ward",
                .product(name: "Daybook", package: "Daybook"),
            ]
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "Ward",
                "event-kill",
                "ward-demo",
                .product(name: "daybook", package: "AuditServer"),
                .product(name: "AuditModel", package: "AuditServer"),
                .product(name: "AuditAccounts", package: "AuditServer"),
                .product(name: "AuditHTTP", package: "AuditServer"),
                .product(name: "LogPublishing", package: "AuditServer"),
                .product(name: "SQLiteStore", package: "AuditServer"),
                .product(name: "SyncServer", package: "AuditServer"),
                .product(name: "AuditServerTesting", package: "AuditServer"),
                .product(name: "ChangeModel", package: "ChangeModel"),
                .product(name: "ChangeModelTesting", package: "ChangeModel"),
                .product(name: "Daybook", package: "Daybook"),
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "EventModelTesting", package: "EventModel"),
                .product(name: "EventPartitionsTesting", package: "EventPartitions"),
                .product(name: "EventProofs", package: "EventPartitions"),
                .product(name: "ObjectStore", package: "ObjectStore"),
                .product(name: "RealmSync", package: "SyncTransport"),
                .product(name: "SyncTransport", package: "SyncTransport"),
                .product(name: "SyncTransportTesting", package: "SyncTransport"),
                .product(name: "GRDB", package: "GRDB.swift"),
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
