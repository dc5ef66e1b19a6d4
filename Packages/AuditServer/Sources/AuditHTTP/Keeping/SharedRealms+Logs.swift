package import AuditModel
package import EventModel
package import SyncServer

extension SharedRealms: RealmLogs {
    /// How many entries one transaction removes, so that uploads wait for a moment only.
    private static let stepCount = 1000
    /// How many realms are looked up at once.
    private static let pageCount = 100

    /// Returns whether a realm of an app has entries that were received before an instant.
    package func hasEntries(of app: ExactText, before instant: EventInstant) async throws -> Bool {
        try await !store.realms(of: app, withEntriesBefore: instant, after: nil, limit: 1).isEmpty
    }

    /// Returns how many entries the realms of an app ever had.
    package func entryCount(of app: ExactText) async throws -> Int { try await store.entryCount(of: app) }

    /// Removes entries of an app's realms that were received before an instant.
    package func shorten(
        of app: ExactText,
        before instant: EventInstant,
        limit: Int,
        while mayGo: () async throws -> Bool
    ) async throws -> ShortenedLogs {
        var total = ShortenedLogs()
        var last: ExactText?
        while true {
            let page = try await store.realms(
                of: app,
                withEntriesBefore: instant,
                after: last,
                limit: Self.pageCount
            )
            for realm in page {
                total.isDone = false
                var isCounted = false
                while !total.isDone {
                    try Task.checkCancellation()
                    guard total.entries < limit, try await mayGo() else { return total }
                    let most = min(Self.stepCount, limit - total.entries)
                    let step = try await store.shorten(realm, before: instant, limit: most)
                    if step.entries > 0, !isCounted { total.realms += 1 }
                    isCounted = isCounted || step.entries > 0
                    total.entries += step.entries
                    total.bytes += step.bytes
                    total.isDone = step.isDone
                }
            }
            guard page.count == Self.pageCount, let end = page.last else { return total }
            last = end.value
        }
    }
}
