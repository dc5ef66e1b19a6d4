import AuditModel

/// A search that somebody gave a name.
struct SavedView: Sendable, Hashable, Codable {
    /// How many views there may be.
    static let maximumCount = 1000
    /// The most bytes of a name.
    static let maximumNameBytes = 128
    /// The most bytes of a query.
    static let maximumQueryBytes = 4096

    /// The id, 24 hexadecimal digits.
    let id: String
    /// The name.
    var name: String
    /// The filter, as the query of a search.
    var query: String
    /// Whether other auditors see it.
    var isShared: Bool
    /// Who saved it, and alone may change it.
    let owner: Author
    /// The apps that it is about; nil for all.
    var scope: AppScope

    /// Returns whether somebody sees it.
    func isVisible(to author: Author, _ access: EventAccess) -> Bool {
        owner.token == author.token || isShared && scope.isVisible(to: access)
    }
}

/// The apps that something is about, which decide who sees it.
struct AppScope: Sendable, Hashable, Codable {
    /// The apps, sorted; nil for all.
    let apps: [String]?

    /// Describes what a filter finds for somebody.
    init(of filter: EventFilter, for access: EventAccess) {
        apps = filter.app.map { [$0] } ?? access.apps?.sorted()
    }

    /// Returns whether somebody may know of it: whoever may read all of these apps.
    func isVisible(to access: EventAccess) -> Bool {
        guard let apps else { return access.apps == nil }
        return apps.allSatisfy(access.includes(app:))
    }
}
