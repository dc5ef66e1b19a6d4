package import AuditModel

/// Which apps a server serves, and how.
package struct ServedApps: Sendable {
    /// The apps that are set up, by their ids.
    package let apps: [String: AppSettings]  // TEXT: apps, which are ASCII, see isAppID.
    /// How users of any other app sign in; nil when no other app is served.
    package let others: AppSettings?

    /// Names the apps.
    ///
    /// - Parameters:
    ///   - apps: Those that are set up, by their ids.
    ///   - others: How users of any other app sign in; nil when no other app is served.
    package init(_ apps: [String: AppSettings], others: AppSettings?) {  // TEXT: as above.
        self.apps = apps
        self.others = others
    }

    /// Returns how users of an app sign in; nil when the server does not serve it.
    package func settings(of app: String) -> AppSettings? { apps[app] ?? others }

    /// Returns how users of an app sign in.
    ///
    /// - Throws: `AuditServerError` with `rejected` when it is no app id, and `forbidden` when the server does not serve it.
    package func servedSettings(of app: String) throws(AuditServerError) -> AppSettings {
        guard Self.isAppID(app) else {
            throw .rejected(reason: "an app id has 1 to 64 letters, digits, hyphens, underscores and dots")
        }
        guard let settings = settings(of: app) else {
            throw .forbidden(reason: "the server is not set up for this app")
        }
        return settings
    }

    /// What auditors do not see of the events of each app.
    package var masks: EventMasks { EventMasks(apps: apps.mapValues(\.mask), others: others?.mask ?? .none) }

    /// What the objects of each app are called.
    package var labels: ObjectLabels { ObjectLabels(apps: apps.mapValues(\.labels), others: others?.labels ?? .none) }

    /// Returns who an id is, by the directory of the first app that may be read and knows it; nil when none does.
    package func person(_ id: String, _ access: EventAccess) -> DirectoryPerson? {
        for directory in directories(access) {
            if let person = directory.person(id) { return person }
        }
        return nil
    }

    /// Returns people whose names have words that begin so, of the apps that may be read.
    ///
    /// - Complexity: O(*n*) in the people.
    package func people(named text: String, limit: Int, _ access: EventAccess) -> [DirectoryPerson] {
        Array(directories(access).flatMap { $0.people(named: text, limit: limit) }.prefix(limit))
    }

    private func directories(_ access: EventAccess) -> [StaffDirectory] {
        apps.sorted { $0.key < $1.key }.filter { access.includes(app: $0.key) && !$0.value.staff.isEmpty }
            .map(\.value.staff)
    }

    /// Returns what an auditor may read: the apps of the token, within the rules of each.
    package func access(ofAuditorOf names: Set<String>?) -> EventAccess {  // TEXT: apps, which are ASCII.
        let prefixes = apps.compactMapValues { settings in
            settings.partitionRules.auditorRead == [.all] ? nil : settings.partitionRules.auditorRead
        }
        return EventAccess(apps: names, prefixes: prefixes.filter { names?.contains($0.key) ?? true })
    }

    /// The keys with which programs sign in, of all apps that are served.
    package var apiKeys: [APIKey] {
        let all = apps.values.flatMap(\.apiKeys) + (others?.apiKeys ?? [])
        return all.filter { key in settings(of: key.app)?.apiKeys.contains(key) == true }
    }

    /// Returns whether a text can be an app id, whether the server serves it or not.
    package static func isAppID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }
}
