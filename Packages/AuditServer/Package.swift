// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "AuditServer",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "AuditModel", targets: ["AuditModel"]),
        .library(name: "AuditFormats", targets: ["AuditFormats"]),
        .library(name: "AuditVerifying", targets: ["AuditVerifying"]),
        .library(name: "AuditAccounts", targets: ["AuditAccounts"]),
        .library(name: "AuditAdmission", targets: ["AuditAdmission"]),
        .library(name: "AuditExport", targets: ["AuditExport"]),
        .library(name: "AuditHTTP", targets: ["AuditHTTP"]),
        .library(name: "AuditKeeping", targets: ["AuditKeeping"]),
        .library(name: "AuditReview", targets: ["AuditReview"]),
        .library(name: "AuditSearch", targets: ["AuditSearch"]),
        .library(name: "LogPublishing", targets: ["LogPublishing"]),
        .library(name: "LogWitness", targets: ["LogWitness"]),
        .library(name: "RealmBrowser", targets: ["RealmBrowser"]),
        .library(name: "RealmWindow", targets: ["RealmWindow"]),
        .library(name: "SQLiteStore", targets: ["SQLiteStore"]),
        .library(name: "SyncServer", targets: ["SyncServer"]),
        .library(name: "TimeStamping", targets: ["TimeStamping"]),
        .library(name: "PostgreSQLStore", targets: ["PostgreSQLStore"]),
        .library(name: "AuditServerTesting", targets: ["AuditServerTesting"]),
        .executable(name: "daybook", targets: ["daybook"]),
        .executable(name: "daybook-verify", targets: ["daybook-verify"]),
    ],
    dependencies: [
        .package(path: "../ChangeModel"),
        .package(path: "../EventModel"),
        .package(path: "../EventPartitions"),
        .package(path: "../ObjectStore"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
        .package(url: "https://github.com/vapor/jwt-kit.git", from: "5.7.0"),
        // The names of headers and statuses in Hummingbird's own API; resolved by Hummingbird anyway.
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0", traits: []),
        // Hummingbird's own foundation, named here for one type: the error of a port that is in use.
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        // What Hummingbird's connections carry: parts of requests and answers; resolved by Hummingbird anyway.
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.34.1"),
        // Hummingbird's own way to run things beside the server, until it ends gracefully.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
        // Reads certificates and keys for Hummingbird's TLS, which resolves it anyway.
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
        // Asks witnesses with bounds that Foundation's client has not on Linux: the size of an answer, no redirects. Tests have it anyway.
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.25.0"),
        // The line of who waits for a place; Hummingbird's foundation resolves it anyway.
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.3.0"),
        // Trusts the certificates behind time-stamps, and makes those of tests; jwt-kit resolves both anyway.
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.0"),
    ],
    targets: [
        // The console's pages, compiled into the program: one binary is enough.
        .target(
            name: "AuditConsole",
            // What the scripts' types are checked with, which no page loads.
            exclude: ["Types", "jsconfig.json"],
            resources: [.embedInCode("Resources")]
        ),
        // Events, objects, filters, access, masks and the seams: what every other room speaks of.
        .target(
            name: "AuditModel",
            dependencies: [.eventModel, .eventProofs, .crypto, .cryptoExtras]
        ),
        // The forms in which events are handed to others.
        .target(
            name: "AuditFormats",
            dependencies: ["AuditModel", .eventModel]
        ),
        // Everything that checks; links no server and no database.
        .target(
            name: "AuditVerifying",
            dependencies: ["AuditModel", "AuditFormats", "TimeStamping", .eventModel, .eventProofs, .crypto]
        ),
        // Realms that devices share: who may send what, in which order, and who waits for it; no database.
        .target(
            name: "SyncServer",
            dependencies: ["AuditAdmission", .changeModel, .deflate, .eventModel, .eventProofs, .crypto]
        ),
        // The seams over SQLite: events, accounts, synced realms, and the search index that any store of events can have.
        .target(
            name: "SQLiteStore",
            dependencies: ["AuditModel", "SyncServer", .changeModel, .eventModel, .eventProofs, .grdb, .grdbSQLite]
        ),
        // Who may send how much now.
        .target(
            name: "AuditAdmission",
            dependencies: ["AuditModel", .eventModel, .dequeModule]
        ),
        // Who somebody is: apps, sign-in, tokens, sessions.
        .target(
            name: "AuditAccounts",
            dependencies: ["AuditAdmission", "AuditModel", .eventModel, .crypto, .jwtKit]
        ),
        // What reviewers do, and are told: the trail, alerts, reviews, notes, and what the checks of what is stored found.
        .target(
            name: "AuditReview",
            dependencies: ["AuditModel", "AuditVerifying", .eventModel, .eventProofs, .logging]
        ),
        // What a search engine finds, put together: lines, timelines, reconstructions.
        .target(
            name: "AuditSearch",
            dependencies: ["AuditModel", .eventModel, .crypto]
        ),
        // Exports that are made in the background.
        .target(
            name: "AuditExport",
            dependencies: [
                "AuditFormats", "AuditModel", "AuditVerifying", .eventModel, .eventProofs, .crypto, .logging,
            ]
        ),
        // Holds, erasures, what expires, and whether the clock can be believed.
        .target(
            name: "AuditKeeping",
            dependencies: ["AuditModel", .eventModel]
        ),
        // The log of sealed partitions as files that anybody can check and copy.
        .target(
            name: "LogPublishing",
            dependencies: ["AuditModel", "TimeStamping", .eventModel, .eventProofs, .crypto]
        ),
        // Time-stamps of RFC 3161: what is asked, what is answered, and whom somebody believes.
        .target(
            name: "TimeStamping",
            dependencies: [.eventModel, .crypto, .swiftASN1, .x509]
        ),
        // Cosigns checkpoints of logs, of ours and of others, as long as they fit each other.
        .target(
            name: "LogWitness",
            dependencies: ["AuditModel", .eventModel, .eventProofs]
        ),
        // All routes, and what runs beside them; the only target that imports Hummingbird.
        .target(
            name: "AuditHTTP",
            dependencies: [
                "AuditAccounts", "AuditAdmission", "AuditConsole", "AuditExport", "AuditFormats", "AuditKeeping",
                "AuditModel", "AuditReview", "AuditSearch", "AuditVerifying", "LogPublishing", "LogWitness",
                "SyncServer", "TimeStamping", .changeModel, .deflate, .eventModel, .eventProofs, .crypto, .logging,
                .hummingbird, .hummingbirdCore, .hummingbirdTLS, .asyncHTTPClient, .httpTypes, .nioCore, .nioHTTP1,
                .nioHTTPTypes, .nioSSL, .serviceLifecycle,
            ]
        ),
        // libpq itself: the acknowledgement depends on its notices and the speed on its COPY.
        .systemLibrary(
            name: "CPostgreSQL",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        // Apart from SQLiteStore, so that whoever embeds the server with SQLite needs no libpq.
        .target(
            name: "PostgreSQLStore",
            dependencies: ["AuditModel", "CPostgreSQL", .eventModel, .eventProofs]
        ),
        // Events wherever they lie, in files, on a server or in an export, as commands read and verify them.
        .target(
            name: "AuditArchives",
            dependencies: [
                "AuditFormats", "AuditModel", "AuditVerifying", "TimeStamping", .eventModel, .eventPartitions,
                .eventProofs, .argumentParser,
            ]
        ),
        // Links neither a server nor a database, so that an outsider can build and read it.
        .executableTarget(
            name: "daybook-verify",
            dependencies: ["AuditArchives", .argumentParser]
        ),
        .target(
            name: "DaybookCommand",
            dependencies: [
                "AuditArchives", "AuditFormats", "AuditModel", "AuditAccounts", "AuditAdmission", "AuditExport",
                "AuditHTTP", "AuditKeeping", "AuditReview", "LogPublishing", "LogWitness", "SQLiteStore",
                "SyncServer", "TimeStamping", "AuditVerifying", "PostgreSQLStore", "RealmBrowser", "RealmWindow",
                .changeModel, .eventModel, .eventPartitions, .eventProofs, .argumentParser, .logging, .unixSignals,
            ]
        ),
        // Realm files as a tool sees them that does not know their program.
        .target(name: "RealmWindow", dependencies: [.objectStore]),
        // A realm file in the browser of its developer.
        .target(
            name: "RealmBrowser",
            dependencies: [
                "AuditConsole", "AuditHTTP", "RealmWindow", .eventModel, .httpTypes, .hummingbird, .hummingbirdCore,
                .logging, .nioCore, .nioHTTPTypes, .serviceLifecycle, .unixSignals,
            ]
        ),
        .testTarget(
            name: "RealmBrowserTests",
            dependencies: [
                "AuditConsole", "RealmBrowser", "RealmWindow", .asyncHTTPClient, .eventModel, .eventModelTesting,
                .logging, .nioCore, .nioHTTP1, .objectStore, .objectStoreTesting,
            ]
        ),
        .testTarget(
            name: "RealmWindowTests",
            dependencies: ["RealmWindow", .eventModelTesting, .objectStore, .objectStoreTesting]
        ),
        .executableTarget(
            name: "daybook",
            dependencies: ["DaybookCommand", .argumentParser]
        ),
        // Checks acknowledgements against a cluster that fails; `Tools/cluster` builds and runs it.
        .executableTarget(
            name: "failover-check",
            dependencies: [
                "AuditModel", "AuditHTTP", "AuditServerTesting", "AuditVerifying", "PostgreSQLStore", .eventModel,
                .eventProofs, .argumentParser,
            ]
        ),
        .target(
            name: "AuditServerTesting",
            dependencies: [
                "AuditFormats", "AuditModel", "AuditAccounts", "AuditAdmission", "AuditExport", "AuditHTTP",
                "LogPublishing", "SQLiteStore", "TimeStamping", "AuditVerifying", "SyncServer", .changeModel,
                .changeModelTesting, .eventModel, .eventModelTesting, .eventProofs, .crypto, .grdb, .hummingbird,
                .logging,
            ]
        ),
        .testTarget(
            name: "SyncServerTests",
            dependencies: [
                "AuditModel", "AuditServerTesting", "SQLiteStore", "SyncServer", .changeModel, .changeModelTesting,
                .deflate, .eventModel, .eventModelTesting, .eventProofs, .grdb,
            ]
        ),
        .testTarget(
            name: "AuditModelTests",
            dependencies: ["AuditModel", "AuditServerTesting", .eventModel, .eventModelTesting, .eventProofs]
        ),
        .testTarget(
            name: "AuditVerifyingTests",
            dependencies: [
                "TimeStamping", "AuditModel", "AuditServerTesting", "AuditVerifying", "SQLiteStore", .eventModel,
                .eventModelTesting, .eventProofs, .crypto, .grdb,
            ]
        ),
        .testTarget(
            name: "AuditExportTests",
            dependencies: [
                "AuditFormats", "AuditModel", "AuditServerTesting", "AuditVerifying", "SQLiteStore", "TimeStamping",
                .eventModel, .eventModelTesting, .eventProofs, .grdb,
            ]
        ),
        .testTarget(
            name: "SQLiteStoreTests",
            dependencies: [
                "AuditModel", "AuditServerTesting", "SQLiteStore", .eventModel, .eventModelTesting, .eventProofs,
                .grdb,
            ]
        ),
        .testTarget(
            name: "AuditAdmissionTests",
            dependencies: ["AuditAdmission", "AuditModel", .eventModel, .eventModelTesting]
        ),
        .testTarget(
            name: "AuditAccountsTests",
            dependencies: [
                "AuditAccounts", "AuditModel", "AuditServerTesting", .eventModel, .eventModelTesting, .crypto,
                .jwtKit,
            ]
        ),
        .testTarget(
            name: "AuditReviewTests",
            dependencies: [
                "AuditModel", "AuditReview", "AuditServerTesting", "SQLiteStore", .eventModel, .eventModelTesting,
                .eventProofs,
            ]
        ),
        .testTarget(
            name: "AuditSearchTests",
            dependencies: ["AuditModel", "AuditSearch", .eventModel]
        ),
        .testTarget(
            name: "AuditKeepingTests",
            dependencies: [
                "AuditKeeping", "AuditModel", "AuditServerTesting", .eventModel, .eventModelTesting, .eventProofs,
            ]
        ),
        .testTarget(
            name: "LogPublishingTests",
            dependencies: [
                "AuditModel", "AuditServerTesting", "LogPublishing", "LogWitness", "TimeStamping", .eventModel,
                .eventModelTesting, .eventProofs,
            ]
        ),
        .testTarget(
            name: "TimeStampingTests",
            dependencies: [
                "AuditServerTesting", "TimeStamping", .eventModel, .eventModelTesting, .swiftASN1,
            ]
        ),
        .testTarget(
            name: "LogWitnessTests",
            dependencies: [
                "AuditHTTP", "AuditModel", "LogWitness", .asyncHTTPClient, .eventModel, .eventModelTesting,
                .eventProofs, .nioCore, .nioHTTP1,
            ]
        ),
        .testTarget(
            name: "AuditHTTPTests",
            dependencies: [
                "TimeStamping", "AuditConsole", "AuditFormats", "AuditModel", "AuditAccounts", "AuditAdmission",
                "AuditExport", "AuditHTTP", "AuditKeeping", "AuditReview", "AuditSearch", "LogPublishing",
                "LogWitness", "SQLiteStore", "SyncServer", "AuditServerTesting", "AuditVerifying", .changeModel,
                .changeModelTesting, .deflate, .eventModel, .eventModelTesting, .eventProofs, .asyncHTTPClient,
                .crypto, .x509, .swiftASN1, .grdb, .hummingbird, .hummingbirdCore, .httpTypes, .hummingbirdTesting,
                .logging, .nioCore, .cryptoExtras, .nioSSL, .nioEmbedded, .nioHTTP1, .nioHTTPTypes, .nioPosix,
            ]
        ),
        .testTarget(
            name: "AuditConsoleTests",
            dependencies: [
                "AuditModel", "AuditAccounts", "AuditAdmission", "AuditExport", "AuditHTTP", "AuditReview",
                "RealmBrowser", "SQLiteStore", "AuditServerTesting", "AuditVerifying", .eventModel,
                .eventModelTesting, .eventProofs, .asyncHTTPClient, .grdb, .nioCore, .nioHTTP1, .objectStore,
                .objectStoreTesting,
            ]
        ),
        .testTarget(
            name: "PostgreSQLStoreTests",
            dependencies: [
                "AuditModel", "AuditAccounts", "AuditExport", "AuditHTTP", "AuditReview", "SQLiteStore",
                "AuditServerTesting", "AuditVerifying", "DaybookCommand", "PostgreSQLStore", .argumentParser,
                .eventModel, .eventModelTesting, .eventProofs, .hummingbird, .httpTypes, .hummingbirdTesting,
                .logging, .nioCore,
            ]
        ),
        .testTarget(
            name: "DaybookCommandTests",
            dependencies: [
                "TimeStamping", "AuditArchives", "AuditModel", "AuditAccounts", "AuditAdmission", "AuditExport",
                "AuditHTTP", "AuditKeeping", "AuditReview", "LogPublishing", "LogWitness", "SQLiteStore",
                "SyncServer", "AuditServerTesting", "AuditVerifying", "DaybookCommand", "PostgreSQLStore",
                "RealmWindow", .argumentParser, .changeModel, .changeModelTesting, .eventModel, .eventModelTesting,
                .eventPartitions, .eventProofs, .grdb, .logging, .objectStore, .objectStoreTesting, .unixSignals,
            ]
        ),
    ]
)

/// What comes from other packages, by the names of the products.
extension Target.Dependency {
    static let argumentParser: Self = .product(name: "ArgumentParser", package: "swift-argument-parser")
    static let asyncHTTPClient: Self = .product(name: "AsyncHTTPClient", package: "async-http-client")
    static let changeModel: Self = .product(name: "ChangeModel", package: "ChangeModel")
    static let changeModelTesting: Self = .product(name: "ChangeModelTesting", package: "ChangeModel")
    static let crypto: Self = .product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras: Self = .product(name: "CryptoExtras", package: "swift-crypto")
    static let dequeModule: Self = .product(name: "DequeModule", package: "swift-collections")
    static let eventModel: Self = .product(name: "EventModel", package: "EventModel")
    static let eventModelTesting: Self = .product(name: "EventModelTesting", package: "EventModel")
    static let deflate: Self = .product(name: "Deflate", package: "EventModel")
    static let eventPartitions: Self = .product(name: "EventPartitions", package: "EventPartitions")
    static let eventProofs: Self = .product(name: "EventProofs", package: "EventPartitions")
    static let objectStore: Self = .product(name: "ObjectStore", package: "ObjectStore")
    static let objectStoreTesting: Self = .product(name: "ObjectStoreTesting", package: "ObjectStore")
    static let grdb: Self = .product(name: "GRDB", package: "GRDB.swift")
    static let grdbSQLite: Self = .product(name: "GRDBSQLite", package: "GRDB.swift")
    static let httpTypes: Self = .product(name: "HTTPTypes", package: "swift-http-types")
    static let hummingbird: Self = .product(name: "Hummingbird", package: "hummingbird")
    static let hummingbirdCore: Self = .product(name: "HummingbirdCore", package: "hummingbird")
    static let hummingbirdTLS: Self = .product(name: "HummingbirdTLS", package: "hummingbird")
    static let hummingbirdTesting: Self = .product(name: "HummingbirdTesting", package: "hummingbird")
    static let jwtKit: Self = .product(name: "JWTKit", package: "jwt-kit")
    static let logging: Self = .product(name: "Logging", package: "swift-log")
    static let nioCore: Self = .product(name: "NIOCore", package: "swift-nio")
    static let nioPosix: Self = .product(name: "NIOPosix", package: "swift-nio")
    static let nioEmbedded: Self = .product(name: "NIOEmbedded", package: "swift-nio")
    static let nioHTTP1: Self = .product(name: "NIOHTTP1", package: "swift-nio")
    static let nioHTTPTypes: Self = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
    static let nioSSL: Self = .product(name: "NIOSSL", package: "swift-nio-ssl")
    static let serviceLifecycle: Self = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let swiftASN1: Self = .product(name: "SwiftASN1", package: "swift-asn1")
    static let unixSignals: Self = .product(name: "UnixSignals", package: "swift-service-lifecycle")
    static let x509: Self = .product(name: "X509", package: "swift-certificates")
}

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
