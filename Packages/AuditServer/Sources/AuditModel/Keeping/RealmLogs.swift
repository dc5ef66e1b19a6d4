package import EventModel

/// The logs of the realms that devices share, from which the oldest entries can go.
package protocol RealmLogs: Sendable {
    /// Returns whether a realm of an app has entries that were received before an instant.
    ///
    /// - Throws: What the store throws.
    func hasEntries(of app: ExactText, before instant: EventInstant) async throws -> Bool

    /// Returns how many entries the realms of an app ever had.
    ///
    /// - Throws: What the store throws.
    func entryCount(of app: ExactText) async throws -> Int

    /// Removes entries of an app's realms that were received before an instant, oldest first in each realm.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - instant: Before which they were received.
    ///   - limit: How many go at most.
    ///   - mayGo: Asked before each transaction, which removes some; false ends it.
    /// - Returns: What came of it, durable.
    /// - Throws: What the store and the closure throw; what was removed until then stays removed.
    func shorten(
        of app: ExactText,
        before instant: EventInstant,
        limit: Int,
        while mayGo: () async throws -> Bool
    ) async throws -> ShortenedLogs
}

/// What was removed from the logs of an app's realms.
package struct ShortenedLogs: Sendable, Hashable {
    /// From how many realms something was removed.
    package var realms = 0
    /// How many entries.
    package var entries = 0
    /// How many bytes these and their uploads took.
    package var bytes = 0
    /// Whether no older entry is left.
    package var isDone = true

    package init() {}
}
