// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "ObjectStore",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "ObjectStore", targets: ["ObjectStore"]),
        .library(name: "ObjectQueries", targets: ["ObjectQueries"]),
        .library(name: "ObservableRealms", targets: ["ObservableRealms"]),
        .library(name: "ObjectStoreTesting", targets: ["ObjectStoreTesting"]),
    ],
    dependencies: [
        .package(path: "../ChangeModel"),
        .package(path: "../EventModel"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
    ],
    targets: [
        // SQLite keeps the objects: each system has it.
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "Geospatial"),
        .target(
            name: "ObjectQueries",
            dependencies: [
                "Geospatial",
                .product(name: "EventModel", package: "EventModel"),
            ]
        ),
        .target(
            name: "ColumnScans",
            dependencies: [
                "ObjectQueries",
                .product(name: "EventModel", package: "EventModel"),
            ]
        ),
        // Crypto for the files that have a key.
        .target(
            name: "PageEncryption",
            dependencies: [
                "CSQLite",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "OriginalFiles",
            dependencies: [
                .product(name: "EventModel", package: "EventModel")
            ]
        ),
        .target(
            name: "ObjectStore",
            dependencies: [
                "ColumnScans",
                "CSQLite",
                "Geospatial",
                "ObjectQueries",
                "PageEncryption",
                "OriginalFiles",
                .product(name: "ChangeModel", package: "ChangeModel"),
                .product(name: "EventModel", package: "EventModel"),
                // Logging, so that the program decides where the lines of the log go.
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // Combine and SwiftUI, empty where these are not; Integration/AppleFrameworks compiles it against stand-ins.
        .target(name: "ObservableRealms", dependencies: ["ObjectStore"]),
        .target(
            name: "ObjectStoreTesting",
            dependencies: [
                "ObjectStore",
                .product(name: "EventModel", package: "EventModel"),
            ]
        ),
        .testTarget(
            name: "GeospatialTests",
            dependencies: [
                "Geospatial",
                .product(name: "EventModelTesting", package: "EventModel"),
            ]
        ),
        .testTarget(
            name: "ObjectQueriesTests",
            dependencies: [
                "Geospatial",
                "ObjectQueries",
                "ObjectStore",
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "EventModelTesting", package: "EventModel"),
            ]
        ),
        .testTarget(
            name: "PageEncryptionTests",
            dependencies: [
                "CSQLite",
                "PageEncryption",
            ]
        ),
        .testTarget(
            name: "OriginalFilesTests",
            dependencies: [
                "ObjectStore",
                "ObjectStoreTesting",
                "OriginalFiles",
                .product(name: "EventModel", package: "EventModel"),
            ],
            resources: [.copy("Golden")]
        ),
        .testTarget(
            name: "ObjectStoreTests",
            dependencies: [
                "CSQLite",
                "Geospatial",
                "ObjectQueries",
                "ObjectStore",
                "ObjectStoreTesting",
                "PageEncryption",
                .product(name: "ChangeModel", package: "ChangeModel"),
                .product(name: "ChangeModelTesting", package: "ChangeModel"),
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
