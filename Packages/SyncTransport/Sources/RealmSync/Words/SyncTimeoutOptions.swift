/// How long the sync of an app waits, in milliseconds.
///
/// Sync goes over HTTP, and a request that gets no answer is sent again. So the defaults are shorter than those of RealmSwift, whose one
/// connection stayed open, and what is about such a connection alone is taken and has no effect.
public struct SyncTimeoutOptions: Sendable, Hashable {
    /// How long a request may make no progress: 30,000.
    public var connectTimeout: UInt = 30_000
    /// How long a connection that nobody needs is kept: 30,000; without effect, the system decides.
    public var connectionLingerTime: UInt = 30_000
    /// How long the server may keep a request for news waiting: 50,000, which is also the most.
    public var pingKeepalivePeriod: UInt = 50_000
    /// How much longer than that a request for news may take: 30,000.
    public var pongKeepaliveTimeout: UInt = 30_000
    /// How soon after a loss a connection counts as the same: 60,000; without effect, each begins with what is missing.
    public var fastReconnectLimit: UInt = 60_000

    /// Creates the defaults.
    public init() {}
}
