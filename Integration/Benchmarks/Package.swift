// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "DaybookBenchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "daybook-bench", targets: ["daybook-bench"])
    ],
    dependencies: [
        .package(path: "../../Packages/ChangeModel"),
        .package(path: "../../Packages/EventModel"),
        .package(path: "../../Packages/EventPartitions"),
        .package(path: "../../Packages/Daybook"),
        // Writes files of the original, to be imported.
        .package(path: "../../Packages/ObjectStore"),
        // For the rows of the server; nothing that users of the client get depends on the benchmarks.
        .package(path: "../../Packages/AuditServer"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        // Signs the receipts of the server that discards, without which a client deletes nothing.
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
    ],
    targets: [
        .target(name: "BenchmarkHarness"),
        .target(
            name: "BenchmarkFloors",
            dependencies: [
                .product(name: "GRDBSQLite", package: "GRDB.swift")
            ]
        ),
        .executableTarget(
            name: "daybook-bench",
            dependencies: [
                "BenchmarkFloors",
                "BenchmarkHarness",
                .product(name: "ChangeModel", package: "ChangeModel"),
                .product(name: "Deflate", package: "EventModel"),
                .product(name: "EventModel", package: "EventModel"),
                .product(name: "EventPartitions", package: "EventPartitions"),
                .product(name: "EventProofs", package: "EventPartitions"),
                .product(name: "ObjectStoreTesting", package: "ObjectStore"),
                .product(name: "Daybook", package: "Daybook"),
                .product(name: "AuditModel", package: "AuditServer"),
                .product(name: "AuditServerTesting", package: "AuditServer"),
                .product(name: "LogPublishing", package: "AuditServer"),
                .product(name: "LogWitness", package: "AuditServer"),
                .product(name: "PostgreSQLStore", package: "AuditServer"),
                .product(name: "RealmWindow", package: "AuditServer"),
                .product(name: "SQLiteStore", package: "AuditServer"),
                .product(name: "SyncServer", package: "AuditServer"),
                .product(name: "TimeStamping", package: "AuditServer"),
                .product(name: "Crypto", package: "swift-crypto"),
                // Built beside this program, which starts it.
                .product(name: "daybook", package: "AuditServer"),
            ]
        ),
        .testTarget(
            name: "BenchmarkHarnessTests",
            dependencies: ["BenchmarkHarness"]
        ),
        .testTarget(
            name: "BenchmarkFloorsTests",
            dependencies: ["BenchmarkFloors"]
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
