public import EventModel

/// The SQL of a query behind its `SELECT` list, with the values to bind.
///
/// Bind the arguments by position, as columns store their types: a truth value as 0 or 1, a float widened to a double,
/// a date as its seconds since 2001, an object id, UUID or data as a blob; there are no others.
public struct CompiledQuery: Sendable, Hashable {
    /// The class of the objects.
    public let className: String
    /// The alias of the table that holds the objects or values, already quoted.
    public let alias: String
    /// `FROM` and, if anything narrows the query, `WHERE`.
    public let source: String
    /// ``source`` behind a row key, which is bound last; nil when the order is not that of the keys of one table.
    let sourceBehind: String?
    /// `ORDER BY` and, if the plan has a limit, `LIMIT`.
    public let order: String
    /// `ORDER BY` with every term turned round.
    public let reversedOrder: String
    /// The classes whose objects decide what is found, and in which order: nothing else can change the result.
    ///
    /// A link counts for the class that has it; its target's class only where something of the target is asked.
    public let classNames: Set<String>
    /// The values of the placeholders in `source` followed by `order`.
    public let arguments: [Value]
    /// Whether the last argument is the limit.
    package let isLimited: Bool

    /// The text from `FROM` to the end.
    public var text: String { "\(source) \(order)" }

    /// The statement that fetches columns of ``alias``, such as `"o"."$key"`.
    public func select(_ columns: String) -> String {
        "SELECT \(columns) \(text)"
    }

    /// The statement that fetches columns of the objects behind a row key, which is bound last; nil when they have another order.
    package func selectBehind(_ columns: String) -> String? {
        sourceBehind.map { "SELECT \(columns) \($0) \(order)" }
    }

    /// The statement that fetches columns of the last object; nil when a limit says which one is the last.
    public func selectLast(_ columns: String) -> String? {
        isLimited ? nil : "SELECT \(columns) \(source) \(reversedOrder) LIMIT 1"
    }

    /// The statement that counts the objects; it takes the same arguments.
    public var count: String {
        isLimited ? "SELECT count(*) FROM (SELECT 1 \(source) LIMIT ?)" : "SELECT count(*) \(source)"
    }

    /// The statement that finds the place of the first object of a row key, which is bound last; null when there is none.
    ///
    /// It is nil when a limit would have to be kept.
    public var place: String? {
        guard !isLimited else { return nil }
        let number = "row_number() OVER (\(order)) AS \"$place\""
        return """
            SELECT min("$place") - 1 FROM (SELECT \(alias).\(StorageNames.key) AS "$found", \(number) \(source)) \
            WHERE "$found" = ?
            """
    }
}
