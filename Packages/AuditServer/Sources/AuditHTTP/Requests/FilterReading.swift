import AuditModel
import EventModel
import HummingbirdCore

extension Request {
    /// The parameters of the query.
    var parameters: QueryParameters { QueryParameters(uri.queryParameters.map { ($0.key, String($0.value)) }) }

    /// Reads a filter of the query.
    ///
    /// - Parameter others: The names of the route's other parameters.
    /// - Returns: The filter.
    /// - Throws: As `QueryParameters.filter(besides:)`.
    func filter(besides others: Set<Substring>) throws(AuditServerError) -> EventFilter {
        try parameters.filter(besides: others)
    }

    /// Reads the filter of an auditor, who may be bounded to some apps, and does not search for what the apps mask.
    ///
    /// - Throws: What ``filter(besides:)`` throws, and `AuditServerError.rejected(reason:)` for a masked value.
    func filter(
        for access: EventAccess,
        _ masks: EventMasks,
        besides others: Set<Substring>
    ) throws(AuditServerError) -> EventFilter {
        var filter = try filter(besides: others)
        filter.access = access
        try masks.check(filter)
        // Whoever reads one app alone searches that app alone.
        if filter.app == nil, let apps = access.apps, apps.count == 1 { filter.app = apps.first }
        return filter
    }
}
