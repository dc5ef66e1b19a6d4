import Hummingbird

/// Which page of the results of a search a request asks for: the first, the one behind a place, or the one before a place.
struct ResultPaging: Sendable {
    /// The names of the parameters.
    static let names: Set<Substring> = ["order", "after", "before", "limit"]

    /// What the index is asked for.
    ///
    /// A page before a place is one of the opposite order, turned around.
    let range: SearchRange
    private let after: SearchCursor?
    private let before: SearchCursor?

    /// Reads the page out of the query.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - order: `newest` or `oldest`, for a request that does not say it.
    ///   - limit: How many results a page has, for a request that does not say it.
    /// - Throws: ``AuditServerError/rejected(reason:)`` when it is malformed.
    init(_ request: Request, order: String, limit: Int) throws(AuditServerError) {
        let word = request.query("order") ?? order
        guard ["newest", "oldest"].contains(word) else {
            throw .rejected(reason: "'order' is one of newest, oldest")
        }
        after = try request.searchCursor("after")
        before = try request.searchCursor("before")
        guard after == nil || before == nil else {
            throw .rejected(reason: "a page is 'after' a place or 'before' one, and not both")
        }
        range = SearchRange(
            isNewestFirst: (word == "newest") == (before == nil),
            after: after ?? before,
            limit: try request.number("limit", in: 1...500, default: limit)
        )
    }

    /// Whether this is the first page: turning pages is the same search.
    var isFirst: Bool { range.after == nil }

    /// The results of a page in the order that was asked for.
    func hits(of page: SearchPage) -> [SearchPage.Hit] { before == nil ? page.hits : page.hits.reversed() }

    /// What to ask for the page in front of this one; nil in front of the first result.
    func start(of page: SearchPage) -> String? {
        if before != nil { return page.next?.text }
        return after.map { (page.hits.first?.cursor ?? $0).text }
    }

    /// What to ask for the page behind this one; nil behind the last result.
    func end(of page: SearchPage) -> String? {
        if before == nil { return page.next?.text }
        return (page.hits.first?.cursor ?? before)?.text
    }
}

extension Request {
    fileprivate func searchCursor(_ name: String) throws(AuditServerError) -> SearchCursor? {
        guard let text = query(name) else { return nil }
        guard let cursor = SearchCursor(text: text) else {
            throw .rejected(reason: "'\(name)' is not a cursor of this server")
        }
        return cursor
    }
}
