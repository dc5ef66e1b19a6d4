package import AuditModel

/// A search that somebody gave a name.
package struct SavedView: Sendable, Hashable, Codable {
    /// How many views there may be.
    package static let maximumCount = 1000
    /// The most bytes of a name.
    package static let maximumNameBytes = 128
    /// The most bytes of a query.
    package static let maximumQueryBytes = 4096

    /// The id, 24 hexadecimal digits.
    package let id: String
    /// The name.
    package var name: String
    /// The filter, as the query of a search.
    package var query: String
    /// Whether other auditors see it.
    package var isShared: Bool
    /// Who saved it, and alone may change it.
    package let owner: Author
    /// The apps that it is about; nil for all.
    package var scope: AppScope

    package init(id: String, name: String, query: String, isShared: Bool, owner: Author, scope: AppScope) {
        self.id = id
        self.name = name
        self.query = query
        self.isShared = isShared
        self.owner = owner
        self.scope = scope
    }

    /// Returns whether somebody sees it.
    package func isVisible(to author: Author, _ access: EventAccess) -> Bool {
        owner.token == author.token || isShared && scope.isVisible(to: access)
    }
}

/// The apps that something is about, which decide who sees it.
package struct AppScope: Sendable, Hashable, Codable {
    /// The apps, sorted; nil for all.
    package let apps: [String]?

    /// Describes what a filter finds for somebody.
    package init(of filter: EventFilter, for access: EventAccess) {
        apps = filter.app.map { [$0] } ?? access.apps?.sorted()
    }

    /// Returns whether somebody may know of it: whoever may read all of these apps.
    package func isVisible(to access: EventAccess) -> Bool {
        guard let apps else { return access.apps == nil }
        return apps.allSatisfy(access.includes(app:))
    }
}
