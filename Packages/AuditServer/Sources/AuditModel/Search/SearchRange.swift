/// Which part of the results a search returns.
public struct SearchRange: Sendable, Hashable {
    /// Whether the newest result comes first.
    public var isNewestFirst: Bool
    /// The result that the page starts behind; nil for the first page.
    public var after: SearchCursor?
    /// The largest number of results.
    public var limit: Int

    /// A bound for the texts of the events of a page, in bytes; a page has one event even if it is larger.
    package static let pageBytes = 4_194_304

    /// Chooses a part.
    public init(isNewestFirst: Bool = true, after: SearchCursor? = nil, limit: Int = 50) {
        self.isNewestFirst = isNewestFirst
        self.after = after
        self.limit = limit
    }
}
