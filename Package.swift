// swift-tools-version: 6.3

import PackageDescription

// The facade: what users of Daybook see. Every target is declared by explicit path, because a package that depends on
// `Packages/X` by path cannot be used by URL and version. Each `Packages/X` keeps a manifest of its own, against which
// `Tools/test` compares this one. The server is not here, so that nobody resolves SwiftNIO for an app.
let package = Package(
    name: "Daybook",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Daybook", targets: ["Daybook"]),
        .library(name: "EventModel", targets: ["EventModel"]),
        .library(name: "CZlib", targets: ["CZlib"]),
        .library(name: "Deflate", targets: ["Deflate"]),
        .library(name: "ChangeModel", targets: ["ChangeModel"]),
        .library(name: "ObjectQueries", targets: ["ObjectQueries"]),
        .library(name: "ObjectStore", targets: ["ObjectStore"]),
        .library(name: "ObservableRealms", targets: ["ObservableRealms"]),
        .library(name: "EventSerialization", targets: ["EventSerialization"]),
        .library(name: "EventRecording", targets: ["EventRecording"]),
        .library(name: "EventProofs", targets: ["EventProofs"]),
        .library(name: "EventPartitions", targets: ["EventPartitions"]),
        .library(name: "SyncTransport", targets: ["SyncTransport"]),
        .library(name: "RealmSync", targets: ["RealmSync"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
    ],
    targets: [
        .target(
            name: "EventModel",
            path: "Packages/EventModel/Sources/EventModel"
        ),
        // zlib makes event files and messages smaller: each system has it, and anybody can read a file with it.
        .systemLibrary(
            name: "CZlib",
            path: "Packages/EventModel/Sources/CZlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .target(
            name: "Deflate",
            dependencies: ["CZlib"],
            path: "Packages/EventModel/Sources/Deflate"
        ),
        .target(
            name: "ChangeModel",
            dependencies: ["EventModel"],
            path: "Packages/ChangeModel/Sources/ChangeModel"
        ),
        // SQLite keeps the objects: each system has it.
        .systemLibrary(
            name: "CSQLite",
            path: "Packages/ObjectStore/Sources/CSQLite",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .target(
            name: "Geospatial",
            path: "Packages/ObjectStore/Sources/Geospatial"
        ),
        .target(
            name: "ObjectQueries",
            dependencies: [
                "Geospatial",
                "EventModel",
            ],
            path: "Packages/ObjectStore/Sources/ObjectQueries"
        ),
        .target(
            name: "ColumnScans",
            dependencies: [
                "ObjectQueries",
                "EventModel",
            ],
            path: "Packages/ObjectStore/Sources/ColumnScans"
        ),
        .target(
            name: "PageEncryption",
            // Crypto for the files that have a key.
            dependencies: [
                "CSQLite",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Packages/ObjectStore/Sources/PageEncryption"
        ),
        .target(
            name: "OriginalFiles",
            dependencies: [
                "EventModel"
            ],
            path: "Packages/ObjectStore/Sources/OriginalFiles"
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
                "ChangeModel",
                "EventModel",
                // Logging, so that the program decides where the lines of the log go.
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Packages/ObjectStore/Sources/ObjectStore"
        ),
        // Combine and SwiftUI, empty where these are not; Integration/AppleFrameworks compiles it against stand-ins.
        .target(
            name: "ObservableRealms",
            dependencies: ["ObjectStore"],
            path: "Packages/ObjectStore/Sources/ObservableRealms"
        ),
        .target(
            name: "EventSerialization",
            // Crypto for the digest of data: Foundation has none on Linux.
            dependencies: [
                "EventModel",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Packages/EventSerialization/Sources/EventSerialization"
        ),
        .target(
            name: "EventRecording",
            dependencies: ["EventModel"],
            path: "Packages/EventRecording/Sources/EventRecording"
        ),
        .target(
            name: "EventProofs",
            dependencies: [
                "EventModel",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Packages/EventPartitions/Sources/EventProofs"
        ),
        .target(
            name: "EventPartitions",
            dependencies: [
                "CZlib",
                "EventProofs",
                "EventModel",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Packages/EventPartitions/Sources/EventPartitions"
        ),
        .target(
            name: "SyncTransport",
            // Crypto checks what the server signs, EventProofs the log that it publishes.
            dependencies: [
                "EventModel",
                "EventProofs",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Packages/SyncTransport/Sources/SyncTransport"
        ),
        // The sync of realms, apart from the upload of events, which needs none of it.
        .target(
            name: "RealmSync",
            dependencies: [
                "SyncTransport",
                "ChangeModel",
                "Deflate",
                "EventModel",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Packages/SyncTransport/Sources/RealmSync"
        ),
        .target(
            name: "EventDestinations",
            dependencies: ["EventModel"],
            path: "Packages/Daybook/Sources/EventDestinations"
        ),
        .target(
            name: "Daybook",
            dependencies: [
                "EventDestinations",
                "ChangeModel",
                "EventModel",
                "ObjectStore",
                "ObservableRealms",
                "EventSerialization",
                "EventRecording",
                "EventPartitions",
                "EventProofs",
                "RealmSync",
                "SyncTransport",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Packages/Daybook/Sources/Daybook"
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
