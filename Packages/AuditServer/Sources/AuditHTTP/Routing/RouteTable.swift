/// All routes of a server with who may use them, made from the registrations themselves.
package struct RouteTable: Sendable {
    /// One route.
    package struct Row: Sendable, Hashable {
        /// The method, in capitals.
        package let method: String
        /// The path from its first slash on; a part that a request fills in stands in braces.
        package let path: String
        /// Who may use it, by the name that `openapi.json` has for it, too; `anyone` needs no token.
        package let permission: String
    }

    /// The routes in the order of their registration.
    package private(set) var rows: [Row] = []

    /// Adds a route, which must not be there yet: of two handlers one would never be called.
    mutating func add(_ row: Row) {
        precondition(
            !rows.contains { $0.method == row.method && $0.path == row.path },
            "The route \(row.method) \(row.path) is registered twice."
        )
        rows.append(row)
    }
}
