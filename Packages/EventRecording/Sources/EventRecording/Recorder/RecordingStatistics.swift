/// What a recorder did so far: every count is raised where the thing happens, so that sums can be proven.
///
/// When nothing is under way, `eventsRecorded == eventsPersisted + eventsRejected + eventsFailed`.
public struct RecordingStatistics: Sendable, Hashable {
    /// How many scopes were begun.
    public internal(set) var scopesBegun: UInt64 = 0
    /// How many scopes were committed, also those that had recorded nothing.
    public internal(set) var scopesCommitted: UInt64 = 0
    /// How many scopes were cancelled, also by being dropped while active.
    public internal(set) var scopesCancelled: UInt64 = 0
    /// How many scopes of ended processes were recovered.
    public internal(set) var scopesRecovered: UInt64 = 0
    /// How many events were made of committed and recovered scopes and of custom events, to be stored.
    public internal(set) var eventsRecorded: UInt64 = 0
    /// How many of these are durable.
    public internal(set) var eventsPersisted: UInt64 = 0
    /// How many of these were refused, because they are too large or there was no room within the quota.
    public internal(set) var eventsRejected: UInt64 = 0
    /// How many of these were given up, because storing failed twice.
    public internal(set) var eventsFailed: UInt64 = 0
    /// How many of the recorded events lack their payload, because it could not be made.
    public internal(set) var eventsIncomplete: UInt64 = 0

    /// How many scopes are active.
    public var activeScopes: UInt64 { scopesBegun - scopesCommitted - scopesCancelled }
}
