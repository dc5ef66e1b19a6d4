package import AuditModel

extension EventFilter {
    /// Reads a filter from the query of a search, as it stands in an address.
    ///
    /// - Parameter query: The query, percent-encoded; an order in it is left out.
    /// - Returns: The filter.
    /// - Throws: `AuditServerError.rejected(reason:)` when it is no filter.
    package static func reading(query: String) throws(AuditServerError) -> EventFilter {
        guard query.utf8.count <= SavedView.maximumQueryBytes, !query.contains("#"), query.utf8.allSatisfy(isPrintable)
        else {
            throw .rejected(reason: "a query has at most \(SavedView.maximumQueryBytes) bytes and is percent-encoded")
        }
        return try QueryParameters(query: query).filter(besides: ["order"])
    }

    private static func isPrintable(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }
}
