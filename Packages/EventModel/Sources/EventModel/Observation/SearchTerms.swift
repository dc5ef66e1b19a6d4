/// What a query asked for, in words that an auditor reads.
public struct SearchTerms: Sendable, Hashable {
    /// One property that the result is ordered by.
    public struct Order: Sendable, Hashable {
        /// The names that lead to the value, with dots between them.
        public let keyPath: String
        /// Whether small values come first.
        public let ascending: Bool

        /// Creates an order.
        public init(_ keyPath: String, ascending: Bool = true) {
            self.keyPath = keyPath
            self.ascending = ascending
        }
    }

    /// How many bytes of a condition are kept, 16 KiB: what is longer ends with `…`.
    public static let maximumBytes = 16 << 10

    /// The condition with its values, in the language of predicates; nil when every object fits.
    public let predicate: String?
    /// What the result is ordered by, the most important first; empty when it is in the order of its rows.
    public let sort: [Order]
    /// The collection whose elements were searched, such as `Patient.visits`; nil when it was all objects of the class.
    public let collection: String?

    /// Describes a query.
    ///
    /// - Parameters:
    ///   - predicate: The condition; cut when it has more than ``maximumBytes``.
    ///   - sort: The order.
    ///   - collection: The collection.
    public init(predicate: String? = nil, sort: [Order] = [], collection: String? = nil) {
        self.predicate = predicate.map(Self.cut)
        self.sort = sort
        self.collection = collection
    }

    /// Whether the query asked for nothing in particular.
    public var isEmpty: Bool { predicate == nil && sort.isEmpty && collection == nil }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > maximumBytes else { return text }
        var kept = 0
        let scalars = text.unicodeScalars.prefix { scalar in
            kept += UTF8.width(scalar)
            return kept <= maximumBytes
        }
        return String(scalars) + "…"
    }
}
