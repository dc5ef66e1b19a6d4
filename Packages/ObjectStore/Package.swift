// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "ObjectStore",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "ObjectStore", targets: ["ObjectStore"]),
        .library(name: "ObjectQueries", targets: ["ObjectQueries"]),
        .library(name: "ObjectStoreTesting", targets: ["ObjectStoreTesting"]),
    ],
    dependencies: [
        .package(path: "../EventModel"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    ],
    targets: [
        .target(
            name: "ObjectQueries",
            dependencies: [
                .product(name: "EventModel", package: "EventModel")
            ]
        ),
        .target(
            name: "ObjectStore",
            dependencies: [
                "ObjectQueries",
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .target(
            name: "ObjectStoreTesting",
            dependencies: [
                "ObjectStore",
                .product(name: "EventModel", package: "EventModel"),
            ]
        ),
        .testTarget(
            name: "ObjectQueriesTests",
            dependencies: [
                "ObjectQueries",
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "EventModelTesting", package: "EventModel"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "ObjectStoreTests",
            dependencies: [
                "ObjectStore",
                "ObjectStoreTesting",
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "EventModelTesting", package: "EventModel"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
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
