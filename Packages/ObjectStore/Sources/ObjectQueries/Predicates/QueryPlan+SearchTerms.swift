public import EventModel

extension QueryPlan {
    /// What the plan asks for, in words that an auditor reads.
    ///
    /// - Complexity: O(*n*) in the condition, of which `SearchTerms.maximumBytes` are written.
    public var searchTerms: SearchTerms {
        SearchTerms(
            predicate: predicate == .always ? nil : predicate.text(maximumBytes: SearchTerms.maximumBytes),
            sort: sort.map { SearchTerms.Order($0.path.description, ascending: $0.ascending) },
            collection: collection
        )
    }

    private var collection: String? {
        switch source {
        case .all: nil
        case .elements(let owner, key: _, let property): "\(owner).\(property)"
        case .nested(let owner, let property, key: _, isDictionary: _): "\(owner).\(property)"
        case .origins(key: _, let property): "\(className).\(property)"
        }
    }
}
