/// The walls inside a package: which other targets of the house a target may know, and which targets may know a library.
///
/// Every import is a declared dependency, see ``DeclaredImportRule``; so a forbidden import is a forbidden dependency.
package struct TargetWallRule: Rule {
    /// The name that reports show.
    package let name: String = "target-wall"
    /// For each room, the rooms of the same package that it may depend on.
    package let rooms: [String: Set<String>]
    /// For each library that not everybody may use, the rooms that may.
    package let libraries: [String: Set<String>]

    /// Creates the rule with the plan of the server's rooms.
    package init(
        rooms: [String: Set<String>] = Self.serverRooms,
        libraries: [String: Set<String>] = Self.serverLibraries
    ) {
        self.rooms = rooms
        self.libraries = libraries
    }

    /// The rooms of the server, the inner ones first.
    package static let serverRooms: [String: Set<String>] = [
        "AuditConsole": [],
        "AuditModel": [],
        "AuditFormats": ["AuditModel"],
        "AuditVerifying": ["AuditModel", "AuditFormats", "TimeStamping"],
        "AuditArchives": ["AuditModel", "AuditFormats", "AuditVerifying", "TimeStamping"],
        "SyncServer": ["AuditAdmission"],
        "SQLiteStore": ["AuditModel", "SyncServer"],
        "PostgreSQLStore": ["AuditModel", "CPostgreSQL"],
        "AuditAdmission": ["AuditModel"],
        "AuditAccounts": ["AuditModel", "AuditAdmission"],
        "AuditReview": ["AuditModel", "AuditVerifying"],
        "AuditSearch": ["AuditModel"],
        "AuditExport": ["AuditModel", "AuditFormats", "AuditVerifying"],
        "AuditKeeping": ["AuditModel"],
        "LogPublishing": ["AuditModel", "TimeStamping"],
        "TimeStamping": [],
        "LogWitness": ["AuditModel"],
        "AuditHTTP": [
            "AuditAccounts", "AuditAdmission", "AuditConsole", "AuditExport", "AuditFormats", "AuditKeeping",
            "AuditModel", "AuditReview", "AuditSearch", "AuditVerifying", "LogPublishing", "LogWitness",
            "SyncServer", "TimeStamping",
        ],
        "RealmWindow": [],
        "RealmBrowser": ["AuditConsole", "AuditHTTP", "RealmWindow"],
        "daybook-verify": ["AuditArchives"],
        "daybook": ["DaybookCommand"],
    ]

    /// The libraries of the server that bring a server or a database with them.
    package static let serverLibraries: [String: Set<String>] = [
        "hummingbird": ["AuditHTTP", "RealmBrowser", "DaybookCommand", "AuditServerTesting"],
        "swift-nio": ["AuditHTTP", "RealmBrowser"],
        "swift-nio-extras": ["AuditHTTP", "RealmBrowser"],
        "swift-nio-ssl": ["AuditHTTP"],
        "swift-http-types": ["AuditHTTP", "RealmBrowser"],
        "swift-service-lifecycle": ["AuditHTTP", "RealmBrowser", "DaybookCommand"],
        "jwt-kit": ["AuditAccounts"],
        "CPostgreSQL": ["PostgreSQLStore"],
        "GRDB.swift": ["SQLiteStore", "AuditServerTesting"],
        "CSQLite": ["ObjectStore", "PageEncryption"],
    ]

    /// Objects to dependencies through a wall; tests may know what they test.
    package func findings(in house: House) -> [Finding] {
        house.sortedManifests.filter { $0.folder.hasPrefix("Packages/") }
            .flatMap { folder, manifest in
                let own = Set(manifest.targets.map(\.name))
                return manifest.targets.filter { $0.kind != "test" }
                    .flatMap { target in
                        target.dependencies.compactMap { objection(to: $0, of: target.name, own) }
                            .map { Finding(path: "\(folder)/Package.swift", message: $0) }
                    }
            }
    }

    private func objection(to dependency: Manifest.Dependency, of target: String, _ own: Set<String>) -> String? {
        if let users = libraries[dependency.package ?? dependency.name], !users.contains(target) {
            return "\(target) must not use \(dependency.name); only \(users.sorted().joined(separator: ", ")) may."
        }
        guard dependency.package == nil, own.contains(dependency.name), let inner = rooms[target],
            !inner.contains(dependency.name)
        else { return nil }
        return "\(target) must not depend on \(dependency.name); meet it through a seam of a room that both know."
    }
}
